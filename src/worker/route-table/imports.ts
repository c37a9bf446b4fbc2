import type { Route } from "../http/operation.ts";
import { get, post, put } from "../http/route-lines.ts";
import { importArchiveItem } from "../routes/import/import-item.ts";
import { importRecord } from "../routes/import/import-record.ts";
import { importPreviewForm, importPreviewPage } from "../routes/import/preview-page.ts";
import { importPreview, importPreviewed } from "../routes/import/preview.ts";
import { putItemFile } from "../routes/import/put-item-file.ts";
import { showMarc, showRecords } from "../routes/import/show-records.ts";

/** Single records from elsewhere. */
export const IMPORT_ROUTES: readonly Route[] = [
  post("/api/import", "importer", importRecord),
  post("/api/import/ia", "importer", importArchiveItem),
  get("/import/preview.json", "librarian", importPreview),
  post("/import/preview.json", "librarian", importPreviewed),
  get("/import/preview", "librarian", importPreviewPage),
  post("/import/preview", "librarian", importPreviewForm),
  get("/show-records/{rest:path}", "public", showRecords),
  get("/show-marc/{rest:path}", "public", showMarc),
  put("/system/items/{place:path}", "operator", putItemFile),
].flat();

import type { Route } from "../http/operation.ts";
import { get, post, put } from "../http/route-lines.ts";
import {
  adminImportsAdd,
  adminImportsAddForm,
  approveBatch,
  approveBatchLink,
  pendingImportBatches,
} from "./review.ts";
import { batchWarnings, showBatch } from "./batch-page.ts";
import { adminImports, adminImportsOfDay, importNumbers } from "./import-statistics.ts";
import { importFileAction, putImportFile, putItemFile } from "./upload-file.ts";
import { importArchiveItem, importRecordOperation } from "./import-api.ts";
import { newBatchForm, submitNewBatch } from "./new-batch.ts";
import { importPreviewForm, importPreviewPage } from "./preview-page.ts";
import { importPreview, importPreviewPost } from "./preview.ts";
import { resumeQueue } from "./resume.ts";
import { showMarc, showRecords } from "./show-records.ts";

export const IMPORT_ROUTES: readonly Route[] = [
  post("/api/import", "importer", importRecordOperation),
  post("/api/import/ia", "importer", importArchiveItem),
  get("/import/preview.json", "librarian", importPreview),
  post("/import/preview.json", "librarian", importPreviewPost),
  get("/import/preview", "librarian", importPreviewPage),
  post("/import/preview", "librarian", importPreviewForm),
  get("/show-records/{rest:path}", "public", showRecords),
  get("/show-marc/{rest:path}", "public", showMarc),
  put("/system/items/{place:path}", "operator", putItemFile),
].flat();

export const IMPORT_BATCH_ROUTES: readonly Route[] = [
  get("/import/batch/new[.json]", "public", newBatchForm),
  // The handler checks access, because it answers 403 rather than 401.
  post("/import/batch/new[.json]", "public", submitNewBatch),
  get("/import/batch/pending[.json]", "public", pendingImportBatches),
  get("/import/batch/approve/{id}", "public", approveBatchLink),
  post("/import/batch/approve/{id}", "public", approveBatch),
  get("/import/batch/{id}.csv", "public", batchWarnings),
  get("/import/batch/{id}[.json]", "public", showBatch),

  get("/imports[.json]", "public", importNumbers),
  get("/admin/imports[.json]", "admin", adminImports),
  get("/admin/imports/add", "admin", adminImportsAddForm),
  post("/admin/imports/add", "admin", adminImportsAdd),
  get("/admin/imports/{date}[.json]", "admin", adminImportsOfDay),

  post("/system/imports", "operator", resumeQueue),
  post("/system/imports/{name:path}", "operator", importFileAction),
  put("/system/imports/{name:path}", "operator", putImportFile),
].flat();

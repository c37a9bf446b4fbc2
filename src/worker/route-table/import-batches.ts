import type { Route } from "../http/operation.ts";
import { get, post, put } from "../http/route-lines.ts";
import { approveBatch, approveBatchLink } from "../routes/import-batches/approve.ts";
import { newBatchForm } from "../routes/import-batches/new-page.ts";
import { pendingImportBatches } from "../routes/import-batches/pending.ts";
import { showBatch } from "../routes/import-batches/show.ts";
import { submitNewBatch } from "../routes/import-batches/submit.ts";
import { adminImportsAdd, adminImportsAddForm } from "../routes/imports-admin/add.ts";
import { adminImportsOfDay } from "../routes/imports-admin/day.ts";
import { importFileAction } from "../routes/imports-admin/file-action.ts";
import { importNumbersOperation } from "../routes/imports-admin/numbers.ts";
import { putImportFile } from "../routes/imports-admin/put-file.ts";
import { resumeQueue } from "../routes/imports-admin/resume.ts";
import { adminImports } from "../routes/imports-admin/state.ts";

/** Batches of imports, and the queue of them. */
export const IMPORT_BATCH_ROUTES: readonly Route[] = [
  get("/import/batch/new[.json]", "public", newBatchForm),
  // Who may is decided there: others are told so by 403 and not by 401.
  post("/import/batch/new[.json]", "public", submitNewBatch),
  get("/import/batch/pending[.json]", "public", pendingImportBatches),
  get("/import/batch/approve/{id}", "public", approveBatchLink),
  post("/import/batch/approve/{id}", "public", approveBatch),
  get("/import/batch/{id}[.json]", "public", showBatch),

  get("/imports[.json]", "public", importNumbersOperation),
  get("/admin/imports[.json]", "admin", adminImports),
  get("/admin/imports/add", "admin", adminImportsAddForm),
  post("/admin/imports/add", "admin", adminImportsAdd),
  get("/admin/imports/{date}[.json]", "admin", adminImportsOfDay),

  post("/system/imports", "operator", resumeQueue),
  post("/system/imports/{name:path}", "operator", importFileAction),
  put("/system/imports/{name:path}", "operator", putImportFile),
].flat();

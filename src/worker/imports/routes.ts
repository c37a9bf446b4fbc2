import type { Route } from "../http/operation.ts";
import { get, operationsIn, post, put } from "../http/route-lines.ts";

const review = operationsIn(() => import("./review.ts"));
const batch = operationsIn(() => import("./batch.ts"));
const importStatistics = operationsIn(() => import("./import-statistics.ts"));
const uploadFile = operationsIn(() => import("./upload-file.ts"));
const importApi = operationsIn(() => import("./import-api.ts"));
const newBatch = operationsIn(() => import("./new-batch.ts"));
const preview = operationsIn(() => import("./preview.ts"));
const resume = operationsIn(() => import("./resume.ts"));
const showRecords = operationsIn(() => import("./show-records.ts"));

export const IMPORT_ROUTES: readonly Route[] = [
  post("/api/import", "importer", importApi("importRecordOperation")),
  post("/api/import/ia", "importer", importApi("importArchiveItem")),
  get("/import/preview.json", "librarian", preview("importPreview")),
  post("/import/preview.json", "librarian", preview("importPreviewPost")),
  get("/import/preview", "librarian", preview("importPreviewPage")),
  post("/import/preview", "librarian", preview("importPreviewForm")),
  get("/show-records/{rest:path}", "public", showRecords("showRecords")),
  get("/show-marc/{rest:path}", "public", showRecords("showMarc")),
  put("/system/items/{place:path}", "operator", uploadFile("putItemFile")),
].flat();

export const IMPORT_BATCH_ROUTES: readonly Route[] = [
  get("/import/batch/new[.json]", "public", newBatch("newBatchForm")),
  // The handler checks access, because it answers 403 rather than 401.
  post("/import/batch/new[.json]", "public", newBatch("submitNewBatch")),
  get("/import/batch/pending[.json]", "public", review("pendingImportBatches")),
  get("/import/batch/approve/{id}", "public", review("approveBatchLink")),
  post("/import/batch/approve/{id}", "public", review("approveBatch")),
  get("/import/batch/{id}.csv", "public", batch("batchWarnings")),
  get("/import/batch/{id}[.json]", "public", batch("showBatch")),

  get("/imports[.json]", "public", importStatistics("importNumbers")),
  get("/admin/imports[.json]", "admin", importStatistics("adminImports")),
  get("/admin/imports/add", "admin", review("adminImportsAddForm")),
  post("/admin/imports/add", "admin", review("adminImportsAdd")),
  get("/admin/imports/{date}[.json]", "admin", importStatistics("adminImportsOfDay")),

  post("/system/imports", "operator", resume("resumeQueue")),
  post("/system/imports/{name:path}", "operator", uploadFile("importFileAction")),
  put("/system/imports/{name:path}", "operator", uploadFile("putImportFile")),
].flat();

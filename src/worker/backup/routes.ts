import type { Route } from "../http/operation.ts";
import { get, operationsIn, post, put } from "../http/route-lines.ts";

const files = operationsIn(() => import("./files.ts"));
const objects = operationsIn(() => import("./objects.ts"));
const removals = operationsIn(() => import("./removals.ts"));
const tables = operationsIn(() => import("./tables.ts"));

/** Routes by which the operator backs up what is not in the log of changes, and restores it. */
export const BACKUP_ROUTES: readonly Route[] = [
  get("/system/backup", "operator", tables("backupTables")),
  get("/system/backup/tables/{store}/{table}", "operator", tables("backupTable")),
  post("/system/backup/tables/{store}/{table}", "operator", tables("restoreTable")),
  get("/system/backup/patrons", "operator", objects("backupPatrons")),
  post("/system/backup/patrons/read", "operator", objects("readPatrons")),
  post("/system/backup/patrons", "operator", objects("restoreObjectsOfPatrons")),
  post("/system/backup/desks/read", "operator", objects("readDesks")),
  post("/system/backup/desks", "operator", objects("restoreDesks")),
  post("/system/backup/removals", "operator", removals("removeRestored")),
  get("/system/backup/files/{bucket}", "operator", files("backupFiles")),
  get("/system/backup/files/{bucket}/{name:path}", "operator", files("backupFile")),
  put("/system/backup/files/{bucket}/{name:path}", "operator", files("restoreFile")),
  post("/system/backup/files/{bucket}/{name:path}", "operator", files("restoreLargeFile")),
].flat();

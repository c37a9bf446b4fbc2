import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const dumpOperations = operationsIn(() => import("./dump-operations.ts"));
const dumpFile = operationsIn(() => import("./dump-file.ts"));
const dataIndex = operationsIn(() => import("./data-index.ts"));

export const DUMP_ROUTES: readonly Route[] = [
  get("/data[.json]", "public", dataIndex("dumpIndex")),
  get("/data/{name}", "public", dumpFile("dumpFile")),
  post("/system/dumps", "operator", dumpOperations("beginDumpNow")),
  post("/system/dumps/resume", "operator", dumpOperations("resumeDumpsNow")),
  get("/system/dumps[.json]", "operator", dumpOperations("dumpStates")),
  get("/admin/dumps[.json]", "admin", dumpOperations("adminDumps")),
  post("/admin/dumps", "admin", dumpOperations("adminBeginDump")),
].flat();

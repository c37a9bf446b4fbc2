import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { adminBeginDump, adminDumps, beginDumpNow, dumpStates, resumeDumpsNow } from "./dump-operations.ts";
import { dumpFile } from "./dump-file.ts";
import { dumpIndex } from "./data-page.ts";

export const DUMP_ROUTES: readonly Route[] = [
  get("/data[.json]", "public", dumpIndex),
  get("/data/{name}", "public", dumpFile),
  post("/system/dumps", "operator", beginDumpNow),
  post("/system/dumps/resume", "operator", resumeDumpsNow),
  get("/system/dumps[.json]", "operator", dumpStates),
  get("/admin/dumps[.json]", "admin", adminDumps),
  post("/admin/dumps", "admin", adminBeginDump),
].flat();

import type { Route } from "../operation.ts";
import { alias, get, post } from "../route-lines.ts";
import { beginDumpNow } from "../routes/dumps/begin.ts";
import { dumpFile } from "../routes/dumps/file.ts";
import { dumpIndex } from "../routes/dumps/list.ts";
import { dumpStates } from "../routes/dumps/state.ts";

/** Files of the whole catalog, and the jobs that make them. */
export const DUMP_ROUTES: readonly Route[] = [
  get("/data.json", "public", dumpIndex),
  alias("/data", "public", dumpIndex),
  get("/data/{name}", "public", dumpFile),
  post("/system/dumps", "operator", beginDumpNow),
  get("/system/dumps.json", "operator", dumpStates),
  alias("/system/dumps", "operator", dumpStates),
];

import type { Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import { deadLetters, dealWithDeadLetters } from "./dead-letters-page.ts";
import { debugBackdoor, debugMemory } from "./debug.ts";
import { invalidate } from "./invalidate.ts";
import { rewind } from "./rewind.ts";
import { deepStatus, status } from "./status.ts";

/** The same at other addresses: every operation has a name of its own. */
const adminStatus = { ...deepStatus, id: "adminStatus" };
const memory = { ...debugMemory, id: "memory" };

/** What those ask who keep the service running; some of it only development services and administrators see. */
export const OPERATIONS_ROUTES: readonly Route[] = [
  alias(get("/status.json", "public", status)),
  get("/system/status[.json]", "operator", deepStatus),
  get(["/admin/status", "/admin/status.json"], "admin", adminStatus),
  post("/system/invalidate", "operator", invalidate),
  post("/system/rewind", "operator", rewind),
  get("/system/dead-letters[.json]", "operator", deadLetters),
  post("/system/dead-letters", "operator", dealWithDeadLetters),
  get(["/debug/memory", "/debug/memory.json"], "inspector", debugMemory),
  get("/memory", "inspector", memory),
  get(["/debug/backdoor", "/debug/backdoor.json"], "inspector", debugBackdoor),
].flat();

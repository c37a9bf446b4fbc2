import type { OperationLoader, Route } from "../http/operation.ts";
import { alias, derive, get, operationsIn, post } from "../http/route-lines.ts";

const operatorAccounts = operationsIn(() => import("./operator-accounts.ts"));
const development = operationsIn(() => import("./development.ts"));
const health = operationsIn(() => import("./health.ts"));
const loader = operationsIn(() => import("./load.ts"));
const projections = operationsIn(() => import("./projections.ts"));
const deadLetters = operationsIn(() => import("./dead-letter-operations.ts"));
const debug = operationsIn(() => import("./debug.ts"));
const statuses = operationsIn(() => import("./status.ts"));
const repairs = operationsIn(() => import("./repairs.ts"));

function named(id: string, load: OperationLoader): OperationLoader {
  return derive(load, (operation) => ({ ...operation, id }));
}

/** Routes of operators: loads, repairs, states, letters that could not be delivered. Some are for development services and administrators only. */
export const OPERATIONS_ROUTES: readonly Route[] = [
  get("/health", "public", health("health")),
  get("/status", "public", statuses("status")),
  post("/system/load", "operator", loader("load")),
  post("/system/changes", "operator", loader("applyChanges")),
  post("/system/index", "operator", projections("indexLog")),
  post("/system/reindex", "operator", projections("reindex")),
  post("/system/index-check", "operator", projections("checkIndex")),
  post("/system/activity", "operator", projections("activityOperation")),
  post("/system/development-accounts", "operator", development("developmentAccounts")),
  post("/system/patrons", "operator", operatorAccounts("restorePatrons")),
  post("/system/administrators", "operator", operatorAccounts("makeAdministrators")),
  post("/system/password-links", "operator", operatorAccounts("makePasswordLink")),
  get("/development/outbox.json", "development", development("outboxOperation")),
  alias(get("/status.json", "public", statuses("status"))),
  get("/system/status[.json]", "operator", statuses("deepStatus")),
  get(["/admin/status", "/admin/status.json"], "admin", named("adminStatus", statuses("deepStatus"))),
  post("/system/invalidate", "operator", repairs("invalidate")),
  post("/system/rewind", "operator", repairs("rewind")),
  get("/system/dead-letters[.json]", "operator", deadLetters("deadLetters")),
  post("/system/dead-letters", "operator", deadLetters("dealWithDeadLetters")),
  get(
    ["/admin/dead-letters", "/admin/dead-letters.json"],
    "admin",
    named("adminDeadLetters", deadLetters("deadLetters")),
  ),
  post("/admin/dead-letters", "admin", deadLetters("adminDeadLettersForm")),
  get(["/debug/memory", "/debug/memory.json"], "inspector", debug("debugMemory")),
  get("/memory", "inspector", named("memory", debug("debugMemory"))),
  get(["/debug/backdoor", "/debug/backdoor.json"], "inspector", debug("debugBackdoor")),
].flat();

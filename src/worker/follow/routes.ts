import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const followOperations = operationsIn(() => import("./follow-operations.ts"));
const edits = operationsIn(() => import("./local-edits.ts"));

export const FOLLOW_ROUTES: readonly Route[] = [
  post("/system/follow", "operator", followOperations("followNow")),
  get("/system/follow[.json]", "operator", followOperations("followState")),
  get("/system/local-edits.json", "operator", edits("localEdits")),
  get("/admin/follow[.json]", "admin", followOperations("adminFollow")),
].flat();

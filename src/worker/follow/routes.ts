import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { adminFollow, followNow, followState } from "./follow-operations.ts";

export const FOLLOW_ROUTES: readonly Route[] = [
  post("/system/follow", "operator", followNow),
  get("/system/follow[.json]", "operator", followState),
  get("/admin/follow[.json]", "admin", adminFollow),
].flat();

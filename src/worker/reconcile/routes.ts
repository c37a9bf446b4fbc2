import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const reconcile = operationsIn(() => import("./reconcile.ts"));
const suggest = operationsIn(() => import("./suggest.ts"));

export const RECONCILE_ROUTES: readonly Route[] = [
  get("/reconcile", "public", reconcile("reconcileGet")),
  post("/reconcile", "public", reconcile("reconcilePost")),
  get("/reconcile/suggest/{kind:entity|type|property}", "public", suggest("suggestReconcile")),
  get("/reconcile/properties", "public", suggest("proposeProperties")),
  get("/reconcile/preview/{id:path}", "public", reconcile("previewEntity")),
  get("/reconcile/view/{id:path}", "public", reconcile("viewEntity")),
].flat();

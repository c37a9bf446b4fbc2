import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { previewEntity, reconcileGet, reconcilePost, viewEntity } from "./reconcile.ts";
import { proposeProperties, suggestReconcile } from "./suggest.ts";

export const RECONCILE_ROUTES: readonly Route[] = [
  get("/reconcile", "public", reconcileGet),
  post("/reconcile", "public", reconcilePost),
  get("/reconcile/suggest/{kind:entity|type|property}", "public", suggestReconcile),
  get("/reconcile/properties", "public", proposeProperties),
  get("/reconcile/preview/{id:path}", "public", previewEntity),
  get("/reconcile/view/{id:path}", "public", viewEntity),
].flat();

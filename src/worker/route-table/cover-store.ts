import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { coversList } from "../routes/cover-store/covers-list.ts";
import { deleteCover } from "../routes/cover-store/delete.ts";
import { queryCovers, queryNothing } from "../routes/cover-store/query.ts";
import { touch } from "../routes/cover-store/touch.ts";
import { upload } from "../routes/cover-store/upload.ts";
import { upload2 } from "../routes/cover-store/upload2.ts";

/** What the cover store does besides showing images. */
const STORE: readonly Route[] = [
  get("/b/query", "public", queryCovers.b),
  get("/a/query", "public", queryCovers.a),
  get("/w/query", "public", queryCovers.w),
  post("/b/upload2", "cover-writer", upload2.b),
  post("/a/upload2", "cover-writer", upload2.a),
  post("/w/upload2", "cover-writer", upload2.w),
  post("/b/upload", "cover-writer", upload.b),
  post("/a/upload", "cover-writer", upload.a),
  post("/w/upload", "cover-writer", upload.w),
  post("/b/touch", "cover-writer", touch.b),
  post("/a/touch", "cover-writer", touch.a),
  post("/w/touch", "cover-writer", touch.w),
  post("/b/delete", "cover-writer", deleteCover.b),
  post("/a/delete", "cover-writer", deleteCover.a),
  post("/w/delete", "cover-writer", deleteCover.w),
];

/** The main site has the same, below `/covers` too. */
export const COVER_STORE_ROUTES: readonly Route[] = [
  ...STORE,
  ...STORE.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/system/covers.json", "operator", coversList),
];

/** The cover store's own listener. */
export const COVER_LISTENER_ROUTES: readonly Route[] = [
  ...STORE,
  get("/{category}/query", "public", queryNothing),
];

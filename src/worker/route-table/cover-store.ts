import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { coversList } from "../routes/cover-store/covers-list.ts";
import { deleteCover } from "../routes/cover-store/delete.ts";
import { queryCovers, queryNothing } from "../routes/cover-store/query.ts";
import { touch } from "../routes/cover-store/touch.ts";
import { upload } from "../routes/cover-store/upload.ts";
import { upload2 } from "../routes/cover-store/upload2.ts";
import { COVER_CATEGORIES } from "../covers/store/categories.ts";

/** What the cover store does besides showing images. */
const STORE: readonly Route[] = [
  COVER_CATEGORIES.map((one) => get(`/${one}/query`, "public", queryCovers[one])),
  COVER_CATEGORIES.map((one) => post(`/${one}/upload2`, "cover-writer", upload2[one])),
  COVER_CATEGORIES.map((one) => post(`/${one}/upload`, "cover-writer", upload[one])),
  COVER_CATEGORIES.map((one) => post(`/${one}/touch`, "cover-writer", touch[one])),
  COVER_CATEGORIES.map((one) => post(`/${one}/delete`, "cover-writer", deleteCover[one])),
].flat(2);

/** The main site has the same, below `/covers` too. */
export const COVER_STORE_ROUTES: readonly Route[] = [
  ...STORE,
  ...STORE.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/system/covers.json", "operator", coversList),
].flat();

/** The cover store's own listener. */
export const COVER_LISTENER_ROUTES: readonly Route[] = [
  ...STORE,
  get("/{category}/query", "public", queryNothing),
].flat();

import type { Route } from "../operation.ts";
import { alias, get } from "../route-lines.ts";
import { coverImage } from "../routes/covers/cover-image.ts";

export const COVER_ROUTES: readonly Route[] = [
  get("/b/id/{name}", "public", coverImage),
  alias("/a/id/{name}", "public", coverImage),
  alias("/w/id/{name}", "public", coverImage),
];

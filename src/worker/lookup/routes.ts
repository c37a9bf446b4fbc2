import type { Route } from "../http/operation.ts";
import { post } from "../http/route-lines.ts";
import { ilsCoverUpload } from "./ils-cover-upload.ts";
import { ilsSearch } from "./ils-search.ts";

export const ILS_ROUTES: readonly Route[] = [
  post("/api/ils_search", "public", ilsSearch),
  post("/api/ils_cover_upload", "public", ilsCoverUpload),
].flat();

import type { Route } from "../operation.ts";
import { post } from "../route-lines.ts";
import { ilsCoverUpload } from "../routes/ils/cover-upload.ts";
import { ilsSearch } from "../routes/ils/search.ts";

export const ILS_ROUTES: readonly Route[] = [
  post("/api/ils_search", "public", ilsSearch),
  post("/api/ils_cover_upload", "public", ilsCoverUpload),
];

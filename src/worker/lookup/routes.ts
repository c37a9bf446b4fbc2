import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { booksJson, booksScript } from "./books.ts";
import { iaRedirect, isbnRedirect, lccnRedirect, oclcRedirect } from "./redirect.ts";
import { volumesMulti, volumesSingle } from "./volumes.ts";
import { ilsCoverUpload } from "./ils-cover-upload.ts";
import { ilsSearch } from "./ils-search.ts";
import { unapi } from "./unapi.ts";
import { linkItem, unlinkItem } from "./scan-links.ts";

export const LOOKUP_ROUTES: readonly Route[] = [
  get("/api/books.json", "public", booksJson),
  get("/api/books", "public", booksScript),
  get("/api/volumes/{brief_or_full}/json/{req}[.json]", "public", volumesMulti),
  get("/api/volumes/{brief_or_full}/{idtype}/{idval}[.json]", "public", volumesSingle),
  get(["/isbn/{value:path}", "/ISBN/{value:path}"], "public", isbnRedirect),
  get(["/oclc/{value:path}", "/OCLC/{value:path}"], "public", oclcRedirect),
  get(["/lccn/{value:path}", "/LCCN/{value:path}"], "public", lccnRedirect),
  get(["/ia/{value:path}", "/IA/{value:path}"], "public", iaRedirect),
  get("/unapi", "public", unapi),
  // Authorised by the signature of the message.
  post("/api/link", "public", linkItem),
  post(["/api/unlink", "/api/unlink.json"], "public", unlinkItem),
  post("/api/ils_search", "public", ilsSearch),
  post("/api/ils_cover_upload", "public", ilsCoverUpload),
].flat();

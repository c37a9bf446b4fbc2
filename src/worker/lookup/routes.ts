import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const books = operationsIn(() => import("./books.ts"));
const redirect = operationsIn(() => import("./redirect.ts"));
const volumes = operationsIn(() => import("./volumes.ts"));
const ilsCoverUpload = operationsIn(() => import("./ils-cover-upload.ts"));
const ilsSearch = operationsIn(() => import("./ils-search.ts"));
const unapi = operationsIn(() => import("./unapi.ts"));
const scanLinks = operationsIn(() => import("./scan-links.ts"));
const prices = operationsIn(() => import("./prices.ts"));

export const LOOKUP_ROUTES: readonly Route[] = [
  get("/api/books.json", "public", books("booksJson")),
  get("/api/books", "public", books("booksScript")),
  post(["/api/books", "/api/books.json"], "public", books("booksOfForm")),
  get("/api/volumes/{brief_or_full}/json/{req}[.json]", "public", volumes("volumesMulti")),
  get("/api/volumes/{brief_or_full}/{idtype}/{idval}[.json]", "public", volumes("volumesSingle")),
  get(["/isbn/{value:path}", "/ISBN/{value:path}"], "public", redirect("isbnRedirect")),
  get(["/oclc/{value:path}", "/OCLC/{value:path}"], "public", redirect("oclcRedirect")),
  get(["/lccn/{value:path}", "/LCCN/{value:path}"], "public", redirect("lccnRedirect")),
  get(["/ia/{value:path}", "/IA/{value:path}"], "public", redirect("iaRedirect")),
  get("/unapi", "public", unapi("unapi")),
  // Authorised by the signature of the message.
  post("/api/link", "public", scanLinks("linkItem")),
  post(["/api/unlink", "/api/unlink.json"], "public", scanLinks("unlinkItem")),
  post("/api/ils_search", "public", ilsSearch("ilsSearch")),
  post("/api/ils_cover_upload", "public", ilsCoverUpload("ilsCoverUpload")),
  get("/prices.json", "public", prices("prices")),
].flat();

import type { Route } from "../http/operation.ts";
import { get, operationsIn } from "../http/route-lines.ts";

const books = operationsIn(() => import("./books.ts"));
const catalog = operationsIn(() => import("./catalog.ts"));
const searches = operationsIn(() => import("./searches.ts"));
const patronFeeds = operationsIn(() => import("./patron-feeds.ts"));

/** The catalog for e-book readers. Feeds of patrons are public routes: they authenticate as OPDS requires. */
export const OPDS_ROUTES: readonly Route[] = [
  get("/opds[.json]", "public", catalog("opdsRoot")),
  get("/opds/authentication.json", "public", patronFeeds("opdsAuthentication")),
  get("/opds/search.xml", "public", catalog("opdsSearch")),
  get("/opds/subjects[.json]", "public", catalog("opdsSubjects")),
  get("/opds/books[.json]", "public", books("opdsBooks")),
  get("/opds/books/XX{edition_id}M[.json]", "public", books("opdsBook")),
  get("/opds/search[.json]", "public", searches("opdsSearchBooks")),
  get("/opds/authors/XX{author_id}A[.json]", "public", searches("opdsAuthor")),
  get("/opds/works/XX{work_id}W[.json]", "public", searches("opdsWork")),
  get("/opds/loans[.json]", "public", patronFeeds("opdsLoans")),
  get("/opds/shelves[.json]", "public", patronFeeds("opdsShelves")),
  get("/opds/shelves/{key}[.json]", "public", patronFeeds("opdsShelf")),
].flat();

import type { Route } from "../http/operation.ts";
import { get } from "../http/route-lines.ts";
import { opdsBook, opdsBooks } from "./books.ts";
import { opdsRoot, opdsSearch, opdsSubjects } from "./catalog.ts";
import { opdsAuthentication, opdsLoans, opdsShelf, opdsShelves } from "./patron-feeds.ts";

/** The catalog for e-book readers. Feeds of patrons are public routes: they authenticate as OPDS requires. */
export const OPDS_ROUTES: readonly Route[] = [
  get("/opds[.json]", "public", opdsRoot),
  get("/opds/authentication.json", "public", opdsAuthentication),
  get("/opds/search.xml", "public", opdsSearch),
  get("/opds/subjects[.json]", "public", opdsSubjects),
  get("/opds/books[.json]", "public", opdsBooks),
  get("/opds/books/XX{edition_id}M[.json]", "public", opdsBook),
  get("/opds/loans[.json]", "public", opdsLoans),
  get("/opds/shelves[.json]", "public", opdsShelves),
  get("/opds/shelves/{key}[.json]", "public", opdsShelf),
].flat();

import { FORMAT_NAMES } from "../../export/formats.ts";
import type { Route } from "../http/operation.ts";
import { alias, get, operationsIn } from "../http/route-lines.ts";

const subjectPage = operationsIn(() => import("../search/subject-page.ts"));
const authors = operationsIn(() => import("./authors.ts"));
const cite = operationsIn(() => import("./cite.ts"));
const bookRedirects = operationsIn(() => import("./book-redirects.ts"));
const languages = operationsIn(() => import("./languages.ts"));
const members = operationsIn(() => import("./members.ts"));
const query = operationsIn(() => import("./query.ts"));
const readApi = operationsIn(() => import("./read-api.ts"));
const record = operationsIn(() => import("./record.ts"));

const EXPORTED = `{format:${FORMAT_NAMES.join("|")}}`;

export const RECORD_ROUTES: readonly Route[] = [
  get("/authors", "public", authors("authorsIndex")),
  get("/languages", "public", languages("languagesPage")),
  get("/random", "public", bookRedirects("random")),
  get("/books/{olid}[/{slug}]/daisy", "public", bookRedirects("daisy")),
  get("/languages.json", "public", languages("languagesOperation")),
  get("/publishers/XX{publisher_id}P.json", "public", record("readPublisher")),
  get("/query.json", "public", query("queryOperation")),
  get(["/api/get", "/api/get.json"], "public", readApi("getHook")),
  get(["/api/get_many", "/api/get_many.json"], "public", readApi("getManyHook")),
  get(["/api/things", "/api/things.json"], "public", readApi("thingsHook")),
  get(["/api/versions", "/api/versions.json"], "public", readApi("versionsHook")),
  get("/authors/XX{author_id}A/works[.json]", "public", members("readAuthorWorks")),
  get("/works/XX{work_id}W/editions[.json]", "public", members("readWorkEditions")),
  get("/books/XX{edition_id}M.json", "public", record("readEdition")),
  get("/books/XX{edition_id}M.rdf", "public", record("readEditionRdf")),
  get("/works/XX{work_id}W.json", "public", record("readWork")),
  get("/authors/XX{author_id}A.json", "public", record("readAuthor")),
  get(`/books/XX{edition_id}M.${EXPORTED}`, "public", record("exportEdition")),
  get(`/works/XX{work_id}W.${EXPORTED}`, "public", record("exportWork")),
  get("/authors/XX{author_id}A.jsonld", "public", record("exportAuthor")),
  // Q567: before the records, whose readable parts may look like this.
  get("/books/XX{edition_id}M/cite.json", "public", cite("citeEdition")),
  get("/works/XX{work_id}W/cite.json", "public", cite("citeWork")),
  get("/books/XX{edition_id}M/cite.txt", "public", cite("citeEditionText")),
  get("/works/XX{work_id}W/cite.txt", "public", cite("citeWorkText")),
].flat();

/** Follow the routes of searches, one of which matches any name that ends in `.json`. */
export const PUBLISHER_PAGE_ROUTES: readonly Route[] = [
  alias(get("/publishers/XX{publisher_id}P", "public", record("readPublisher"))),
  alias(get("/publishers/XX{publisher_id}P/{slug}", "public", record("readPublisher"))),
  alias(get("/publishers/XX{publisher_id}P.{suffix}", "public", record("readPublisher"))),
  get("/publishers/{key:path}", "public", subjectPage("publisherPageForPeople")),
].flat();

/** Follow all other routes below records, because a readable part is any text. */
export const RECORD_PAGE_ROUTES: readonly Route[] = [
  get("/books/XX{edition_id}M", "public", record("bookPage")),
  get("/works/XX{work_id}W", "public", record("workPage")),
  get("/authors/XX{author_id}A", "public", record("authorPage")),
  alias(get("/books/XX{edition_id}M/{slug}", "public", record("bookPage"))),
  alias(get("/works/XX{work_id}W/{slug}", "public", record("workPage"))),
  alias(get("/authors/XX{author_id}A/{slug}", "public", record("authorPage"))),
].flat();

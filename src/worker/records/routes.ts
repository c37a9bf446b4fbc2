import { FORMAT_NAMES } from "../../export/formats.ts";
import type { Route } from "../http/operation.ts";
import { alias, get } from "../http/route-lines.ts";
import { publisherPageForPeople } from "../search/subject-page.ts";
import { authorsIndex } from "./author-pages.ts";
import { citeEdition, citeWork } from "./cite.ts";
import { daisy, random } from "./book-redirects.ts";
import { languagesOperation, languagesPage } from "./languages.ts";
import { readAuthorWorks, readWorkEditions } from "./members.ts";
import { queryOperation } from "./query.ts";
import { getHook, getManyHook, thingsHook, versionsHook } from "./read-api.ts";
import {
  exportAuthor,
  exportEdition,
  exportWork,
  readAuthor,
  readEdition,
  readEditionRdf,
  readPublisher,
  readWork,
} from "./record.ts";
import { editionWidgetPage, workWidgetPage } from "./widget.ts";

const EXPORTED = `{format:${FORMAT_NAMES.join("|")}}`;

export const RECORD_ROUTES: readonly Route[] = [
  get("/authors", "public", authorsIndex),
  get("/languages", "public", languagesPage),
  get("/random", "public", random),
  get("/works/XX{work_id}W/widget", "public", workWidgetPage),
  get("/books/XX{edition_id}M/widget", "public", editionWidgetPage),
  get("/books/{olid}[/{slug}]/daisy", "public", daisy),
  get("/languages.json", "public", languagesOperation),
  get("/publishers/XX{publisher_id}P.json", "public", readPublisher),
  get("/query.json", "public", queryOperation),
  get(["/api/get", "/api/get.json"], "public", getHook),
  get(["/api/get_many", "/api/get_many.json"], "public", getManyHook),
  get(["/api/things", "/api/things.json"], "public", thingsHook),
  get(["/api/versions", "/api/versions.json"], "public", versionsHook),
  get("/authors/XX{author_id}A/works[.json]", "public", readAuthorWorks),
  get("/works/XX{work_id}W/editions[.json]", "public", readWorkEditions),
  get("/books/XX{edition_id}M.json", "public", readEdition),
  get("/books/XX{edition_id}M.rdf", "public", readEditionRdf),
  get("/works/XX{work_id}W.json", "public", readWork),
  get("/authors/XX{author_id}A.json", "public", readAuthor),
  get(`/books/XX{edition_id}M.${EXPORTED}`, "public", exportEdition),
  get(`/works/XX{work_id}W.${EXPORTED}`, "public", exportWork),
  get("/authors/XX{author_id}A.jsonld", "public", exportAuthor),
  // Q567: before the records, whose readable parts may look like this.
  get("/books/XX{edition_id}M/cite.json", "public", citeEdition),
  get("/works/XX{work_id}W/cite.json", "public", citeWork),
].flat();

/** Follow the routes of searches, one of which matches any name that ends in `.json`. */
export const PUBLISHER_PAGE_ROUTES: readonly Route[] = [
  alias(get("/publishers/XX{publisher_id}P", "public", readPublisher)),
  alias(get("/publishers/XX{publisher_id}P/{slug}", "public", readPublisher)),
  alias(get("/publishers/XX{publisher_id}P.{suffix}", "public", readPublisher)),
  get("/publishers/{key:path}", "public", publisherPageForPeople),
].flat();

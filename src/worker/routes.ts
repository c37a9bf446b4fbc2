import type { Access, AnyOperation, Route } from "./operation.ts";
import { docs } from "./pages/docs.ts";
import { getHook } from "./routes/api/get.ts";
import { getManyHook } from "./routes/api/get-many.ts";
import { thingsHook } from "./routes/api/things.ts";
import { versionsHook } from "./routes/api/versions.ts";
import { anyAutocomplete } from "./routes/autocomplete/any.ts";
import { authorsAutocomplete } from "./routes/autocomplete/authors.ts";
import { seriesAutocomplete } from "./routes/autocomplete/series.ts";
import { subjectsAutocomplete } from "./routes/autocomplete/subjects.ts";
import { worksAutocomplete } from "./routes/autocomplete/works.ts";
import { languagesAutocomplete } from "./routes/languages/autocomplete.ts";
import { languagesOperation } from "./routes/languages/languages.ts";
import { booksJson, booksScript } from "./routes/lookup/books.ts";
import { iaRedirect, isbnRedirect, lccnRedirect, oclcRedirect } from "./routes/lookup/redirect.ts";
import { volumesMulti, volumesSingle } from "./routes/lookup/volumes.ts";
import { queryOperation } from "./routes/query/query.ts";
import { readAuthorWorks, readWorkEditions } from "./routes/records/read-members.ts";
import {
  readAnyRecord,
  readAuthor,
  readEdition,
  readEditionRdf,
  readPublisher,
  readWork,
} from "./routes/records/read-record.ts";
import { searchAuthors } from "./routes/search/authors.ts";
import { searchEditions } from "./routes/search/editions.ts";
import { searchFacets } from "./routes/search/facets.ts";
import { insideOperation } from "./routes/search/inside.ts";
import { searchLists } from "./routes/search/lists.ts";
import { searchPublishers } from "./routes/search/publishers.ts";
import { searchOperation } from "./routes/search/search.ts";
import { searchSubjects } from "./routes/search/subjects.ts";
import { suggestBlurb } from "./routes/suggest/blurb.ts";
import { suggestSearch } from "./routes/suggest/search.ts";
import { suggestThumbnail } from "./routes/suggest/thumbnail.ts";
import { publisherPage } from "./routes/subjects/publishers.ts";
import { subjectPage } from "./routes/subjects/subjects.ts";
import { developmentAccounts } from "./routes/system/development-accounts.ts";
import { favicon } from "./routes/system/favicon.ts";
import { health } from "./routes/system/health.ts";
import { home } from "./routes/system/home.ts";
import { indexLog } from "./routes/system/index-log.ts";
import { load } from "./routes/system/load.ts";
import { openapi } from "./routes/system/openapi.ts";
import { reindex } from "./routes/system/reindex.ts";
import { robots } from "./routes/system/robots.ts";
import { status } from "./routes/system/status.ts";
import { deleteText, putText } from "./routes/system/text.ts";

/** The interface at a glance. `XX` is the record prefix; the first route that fits a request takes it. */
export const ROUTES: readonly Route[] = [
  get("/", "public", home),
  get("/health", "public", health),
  get("/status", "public", status),
  get("/robots.txt", "public", robots),
  get("/favicon.ico", "public", favicon),
  get("/openapi.json", "public", openapi),
  get("/docs", "public", docs),

  post("/system/load", "operator", load),
  post("/system/index", "operator", indexLog),
  post("/system/reindex", "operator", reindex),
  post("/system/development-accounts", "operator", developmentAccounts),
  put("/system/text/{item}", "operator", putText),
  { ...post("/system/text/{item}", "operator", putText), alias: true },
  remove("/system/text/{item}", "operator", deleteText),

  get("/api/books.json", "public", booksJson),
  get("/api/books", "public", booksScript),
  get("/api/volumes/{brief_or_full}/json/{req}.json", "public", volumesMulti),
  alias("/api/volumes/{brief_or_full}/json/{req}", "public", volumesMulti),
  get("/api/volumes/{brief_or_full}/{idtype}/{idval}.json", "public", volumesSingle),
  alias("/api/volumes/{brief_or_full}/{idtype}/{idval}", "public", volumesSingle),
  get("/isbn/{value:path}", "public", isbnRedirect),
  alias("/ISBN/{value:path}", "public", isbnRedirect),
  get("/oclc/{value:path}", "public", oclcRedirect),
  alias("/OCLC/{value:path}", "public", oclcRedirect),
  get("/lccn/{value:path}", "public", lccnRedirect),
  alias("/LCCN/{value:path}", "public", lccnRedirect),
  get("/ia/{value:path}", "public", iaRedirect),
  alias("/IA/{value:path}", "public", iaRedirect),

  get("/languages.json", "public", languagesOperation),
  get("/languages/_autocomplete", "public", languagesAutocomplete),
  alias("/languages/_autocomplete.json", "public", languagesAutocomplete),

  // search
  get("/search.json", "public", searchOperation),
  get("/subjects/{key:path}.json", "public", subjectPage),
  get("/publishers/XX{publisher_id}P.json", "public", readPublisher),
  get("/publishers/{key:path}.json", "public", publisherPage),
  get("/search/inside.json", "public", insideOperation),
  get("/search/authors.json", "public", searchAuthors),
  get("/search/subjects.json", "public", searchSubjects),
  get("/search/lists.json", "public", searchLists),
  get("/search/publishers.json", "public", searchPublishers),
  get("/search/facets.json", "public", searchFacets),
  get("/search/editions", "public", searchEditions),
  alias("/search/edition", "public", searchEditions),
  get("/works/_autocomplete", "public", worksAutocomplete),
  alias("/works/_autocomplete.json", "public", worksAutocomplete),
  get("/authors/_autocomplete", "public", authorsAutocomplete),
  alias("/authors/_autocomplete.json", "public", authorsAutocomplete),
  get("/series/_autocomplete", "public", seriesAutocomplete),
  alias("/series/_autocomplete.json", "public", seriesAutocomplete),
  get("/subjects_autocomplete", "public", subjectsAutocomplete),
  alias("/subjects_autocomplete.json", "public", subjectsAutocomplete),
  get("/_autocomplete", "public", anyAutocomplete),
  alias("/_autocomplete.json", "public", anyAutocomplete),
  get("/suggest/search", "public", suggestSearch),
  get("/suggest/blurb/{path:path}", "public", suggestBlurb),
  get("/suggest/thumbnail", "public", suggestThumbnail),

  get("/query.json", "public", queryOperation),
  get("/api/get", "public", getHook),
  alias("/api/get.json", "public", getHook),
  get("/api/get_many", "public", getManyHook),
  alias("/api/get_many.json", "public", getManyHook),
  get("/api/things", "public", thingsHook),
  alias("/api/things.json", "public", thingsHook),
  get("/api/versions", "public", versionsHook),
  alias("/api/versions.json", "public", versionsHook),

  get("/authors/XX{author_id}A/works.json", "public", readAuthorWorks),
  alias("/authors/XX{author_id}A/works", "public", readAuthorWorks),
  get("/works/XX{work_id}W/editions.json", "public", readWorkEditions),
  alias("/works/XX{work_id}W/editions", "public", readWorkEditions),

  get("/books/XX{edition_id}M.json", "public", readEdition),
  get("/books/XX{edition_id}M.rdf", "public", readEditionRdf),
  get("/works/XX{work_id}W.json", "public", readWork),
  get("/authors/XX{author_id}A.json", "public", readAuthor),
  // Every other path is the key of a record, or of none.
  get("/{key:path}", "public", readAnyRecord),
];

function get(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "GET", path, access, operation, alias: false };
}

function post(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "POST", path, access, operation, alias: false };
}

function put(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "PUT", path, access, operation, alias: false };
}

function remove(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "DELETE", path, access, operation, alias: false };
}

/** Another spelling of the route above it, which the interface description leaves out. */
function alias(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "GET", path, access, operation, alias: true };
}

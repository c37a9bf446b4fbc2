import { FORMAT_NAMES } from "../../export/formats.ts";
import type { Route } from "../http/operation.ts";
import { alias, get, operationsIn, post, put, remove } from "../http/route-lines.ts";

const authorSearch = operationsIn(() => import("./author-search.ts"));
const autocomplete = operationsIn(() => import("./autocomplete.ts"));
const facets = operationsIn(() => import("./facets.ts"));
const inside = operationsIn(() => import("./inside.ts"));
const knownLanguages = operationsIn(() => import("./known-languages.ts"));
const languages = operationsIn(() => import("./languages.ts"));
const scanText = operationsIn(() => import("./scan-text.ts"));
const searchFiles = operationsIn(() => import("./search-files.ts"));
const searchPage = operationsIn(() => import("./search-page.ts"));
const search = operationsIn(() => import("./search.ts"));
const subjectIndex = operationsIn(() => import("./subject-index.ts"));
const subjectPage = operationsIn(() => import("./subject-page.ts"));
const subjectSearch = operationsIn(() => import("./subject-search.ts"));
const subject = operationsIn(() => import("./subject.ts"));
const suggest = operationsIn(() => import("./suggest.ts"));

/** Searches and pages of subjects and publishers. Paths that end in any name come last. */
export const SEARCH_ROUTES: readonly Route[] = [
  put("/system/text/{item}", "operator", scanText("putText")),
  alias(post("/system/text/{item}", "operator", scanText("putText"))),
  remove("/system/text/{item}", "operator", scanText("deleteText")),
  get(
    ["/languages/_autocomplete", "/languages/_autocomplete.json"],
    "public",
    knownLanguages("languagesAutocomplete"),
  ),
  get("/search.json", "public", search("searchOperation")),
  get(`/search.{format:${FORMAT_NAMES.join("|")}}`, "public", searchFiles("searchFile")),
  get("/search.atom", "public", searchFiles("searchFeed")),
  get("/dev/docs/api/search", "public", search("searchDocumentation")),
  get("/subjects/{key:path}.json", "public", subject("subjectPage")),
  get("/publishers/{key:path}.json", "public", subject("publisherPage")),
  get("/search/inside.json", "public", inside("insideOperation")),
  get("/search/authors.json", "public", authorSearch("searchAuthors")),
  get("/search/subjects.json", "public", subjectSearch("searchSubjects")),
  get("/search/publishers.json", "public", subjectSearch("searchPublishers")),
  get("/search/facets.json", "public", facets("searchFacets")),
  get(["/search/editions", "/search/edition"], "public", search("searchEditions")),
  get(["/works/_autocomplete", "/works/_autocomplete.json"], "public", autocomplete("worksAutocomplete")),
  get(
    ["/authors/_autocomplete", "/authors/_autocomplete.json"],
    "public",
    autocomplete("authorsAutocomplete"),
  ),
  get(["/series/_autocomplete", "/series/_autocomplete.json"], "public", autocomplete("seriesAutocomplete")),
  get(
    ["/subjects_autocomplete", "/subjects_autocomplete.json"],
    "public",
    autocomplete("subjectsAutocomplete"),
  ),
  get(["/_autocomplete", "/_autocomplete.json"], "public", autocomplete("anyAutocomplete")),
  get("/suggest/search", "public", suggest("suggestSearch")),
  get("/suggest/blurb/{path:path}", "public", suggest("suggestBlurb")),
  get("/suggest/thumbnail", "public", suggest("suggestThumbnail")),
  get("/search", "public", searchPage("searchPage")),
  get("/search/authors", "public", authorSearch("searchAuthorsPage")),
  get("/search/subjects", "public", subjectSearch("searchSubjectsPage")),
  get("/search/publishers", "public", subjectSearch("searchPublishersPage")),
  get("/search/languages.json", "public", languages("searchLanguages")),
  get("/search/languages", "public", languages("searchLanguagesPage")),
  get("/search/inside", "public", inside("searchInsidePage")),
  get("/advancedsearch", "public", searchPage("advancedSearch")),
  get("/subjects.json", "public", subjectIndex("subjectIndexJson")),
  get("/subjects", "public", subjectIndex("subjectsIndexPage")),
  get("/publishers.json", "public", subjectIndex("publisherIndexJson")),
  get("/publishers", "public", subjectIndex("publishersIndexPage")),
  get("/subjects/{key:path}", "public", subjectPage("subjectPageForPeople")),
].flat();

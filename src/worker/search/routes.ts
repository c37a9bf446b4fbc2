import { FORMAT_NAMES } from "../../export/formats.ts";
import type { Route } from "../http/operation.ts";
import { alias, get, post, put, remove } from "../http/route-lines.ts";
import { advancedSearch } from "./advanced-page.ts";
import { searchAuthors, searchAuthorsPage } from "./author-search.ts";
import {
  anyAutocomplete,
  authorsAutocomplete,
  seriesAutocomplete,
  subjectsAutocomplete,
  worksAutocomplete,
} from "./autocomplete.ts";
import { searchFacets } from "./facets.ts";
import { searchInsidePage } from "./inside-page.ts";
import { insideOperation } from "./inside.ts";
import { languagesAutocomplete } from "./known-languages.ts";
import { searchLanguages, searchLanguagesPage } from "./languages.ts";
import { deleteText, putText } from "./scan-text.ts";
import { searchFeed, searchFile } from "./search-files.ts";
import { searchPage } from "./search-page.ts";
import { searchDocumentation, searchEditions, searchOperation } from "./search.ts";
import {
  publisherIndexJson,
  publishersIndexPage,
  subjectIndexJson,
  subjectsIndexPage,
} from "./subject-index.ts";
import { subjectPageForPeople } from "./subject-page.ts";
import {
  searchPublishers,
  searchPublishersPage,
  searchSubjects,
  searchSubjectsPage,
} from "./subject-search.ts";
import { publisherPage, subjectPage } from "./subject.ts";
import { suggestBlurb, suggestSearch, suggestThumbnail } from "./suggest.ts";

/** Searches and pages of subjects and publishers. Paths that end in any name come last. */
export const SEARCH_ROUTES: readonly Route[] = [
  put("/system/text/{item}", "operator", putText),
  alias(post("/system/text/{item}", "operator", putText)),
  remove("/system/text/{item}", "operator", deleteText),
  get(["/languages/_autocomplete", "/languages/_autocomplete.json"], "public", languagesAutocomplete),
  get("/search.json", "public", searchOperation),
  get(`/search.{format:${FORMAT_NAMES.join("|")}}`, "public", searchFile),
  get("/search.atom", "public", searchFeed),
  get("/dev/docs/api/search", "public", searchDocumentation),
  get("/subjects/{key:path}.json", "public", subjectPage),
  get("/publishers/{key:path}.json", "public", publisherPage),
  get("/search/inside.json", "public", insideOperation),
  get("/search/authors.json", "public", searchAuthors),
  get("/search/subjects.json", "public", searchSubjects),
  get("/search/publishers.json", "public", searchPublishers),
  get("/search/facets.json", "public", searchFacets),
  get(["/search/editions", "/search/edition"], "public", searchEditions),
  get(["/works/_autocomplete", "/works/_autocomplete.json"], "public", worksAutocomplete),
  get(["/authors/_autocomplete", "/authors/_autocomplete.json"], "public", authorsAutocomplete),
  get(["/series/_autocomplete", "/series/_autocomplete.json"], "public", seriesAutocomplete),
  get(["/subjects_autocomplete", "/subjects_autocomplete.json"], "public", subjectsAutocomplete),
  get(["/_autocomplete", "/_autocomplete.json"], "public", anyAutocomplete),
  get("/suggest/search", "public", suggestSearch),
  get("/suggest/blurb/{path:path}", "public", suggestBlurb),
  get("/suggest/thumbnail", "public", suggestThumbnail),
  get("/search", "public", searchPage),
  get("/search/authors", "public", searchAuthorsPage),
  get("/search/subjects", "public", searchSubjectsPage),
  get("/search/publishers", "public", searchPublishersPage),
  get("/search/languages.json", "public", searchLanguages),
  get("/search/languages", "public", searchLanguagesPage),
  get("/search/inside", "public", searchInsidePage),
  get("/advancedsearch", "public", advancedSearch),
  get("/subjects.json", "public", subjectIndexJson),
  get("/subjects", "public", subjectsIndexPage),
  get("/publishers.json", "public", publisherIndexJson),
  get("/publishers", "public", publishersIndexPage),
  get("/subjects/{key:path}", "public", subjectPageForPeople),
].flat();

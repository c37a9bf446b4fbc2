import type { Route } from "../http/operation.ts";
import { alias, get } from "../http/route-lines.ts";
import { readPublisher } from "../records/record.ts";
import { readingLogStats, readingLogStatsPage } from "../service/reading-leaders.ts";
import { stats, statsPage } from "../service/totals.ts";
import { advancedSearch } from "./advanced-page.ts";
import { searchAuthorsPage } from "./author-search.ts";
import { searchInsidePage } from "./inside-page.ts";
import { searchLanguages, searchLanguagesPage } from "./languages.ts";
import { searchPublishersPage } from "./publisher-search.ts";
import { searchPage } from "./search-page.ts";
import {
  publisherIndexJson,
  publishersIndexPage,
  subjectIndexJson,
  subjectsIndexPage,
} from "./subject-index.ts";
import { publisherPageForPeople, subjectPageForPeople } from "./subject-page.ts";
import { searchSubjectsPage } from "./subject-search.ts";

/** Searches, subjects, publishers and statistics for people. */
export const SEARCH_PAGE_ROUTES: readonly Route[] = [
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

  get("/stats.json", "public", stats),
  get("/stats", "public", statsPage),
  get("/stats/readinglog.json", "public", readingLogStats),
  get("/stats/readinglog", "public", readingLogStatsPage),
].flat();

/** Pages whose addresses end in any name: after the routes of the same names with `.json` and `/lists`. */
export const TARGET_PAGE_ROUTES: readonly Route[] = [
  get("/subjects/{key:path}", "public", subjectPageForPeople),
  alias(get("/publishers/XX{publisher_id}P", "public", readPublisher)),
  alias(get("/publishers/XX{publisher_id}P/{slug}", "public", readPublisher)),
  alias(get("/publishers/XX{publisher_id}P.{suffix}", "public", readPublisher)),
  get("/publishers/{key:path}", "public", publisherPageForPeople),
].flat();

import type { Route } from "../operation.ts";
import { alias, get } from "../route-lines.ts";
import { advancedSearch } from "../routes/search-pages/advanced.ts";
import { searchAuthorsPage } from "../routes/search-pages/authors.ts";
import { searchInsidePage } from "../routes/search-pages/inside.ts";
import { searchLanguages, searchLanguagesPage } from "../routes/search-pages/languages.ts";
import { searchPublishersPage } from "../routes/search-pages/publishers.ts";
import { searchPage } from "../routes/search-pages/search.ts";
import {
  publisherIndexJson,
  publishersIndexPage,
  subjectIndexJson,
  subjectsIndexPage,
} from "../routes/search-pages/subject-index.ts";
import { searchSubjectsPage } from "../routes/search-pages/subjects.ts";
import { publisherPageForPeople, subjectPageForPeople } from "../routes/search-pages/targets.ts";
import { readingLogStats, readingLogStatsPage } from "../routes/stats/reading-log.ts";
import { stats, statsPage } from "../routes/stats/totals.ts";
import { readPublisher } from "../routes/records/read-record.ts";

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
];

/** Pages whose addresses end in any name: after the routes of the same names with `.json` and `/lists`. */
export const TARGET_PAGE_ROUTES: readonly Route[] = [
  get("/subjects/{key:path}", "public", subjectPageForPeople),
  alias("/publishers/XX{publisher_id}P", "public", readPublisher),
  alias("/publishers/XX{publisher_id}P/{slug}", "public", readPublisher),
  alias("/publishers/XX{publisher_id}P.{suffix}", "public", readPublisher),
  get("/publishers/{key:path}", "public", publisherPageForPeople),
];

import type { Sort } from "../engine.ts";
import { type ParsedSort, bothWays, parseSorts } from "./sort-names.ts";

const down = (name: string, field: string): [string, Sort] => [name, { field, descending: true }];
const up = (name: string, field: string): [string, Sort] => [name, { field, descending: false }];

/** The orders of works by their names on the wire (search.md 4.4). */
const WORK_SORTS = new Map<string, Sort>([
  down("editions", "edition_count"),
  up("old", "first_publish_year"),
  down("new", "first_publish_year"),
  ...bothWays("trending_score_hourly_sum", "trending_score_hourly_sum", "desc"),
  ...bothWays("trending", "trending_z_score", "desc"),
  ...bothWays("rating", "ratings_sortable", "desc"),
  down("readinglog", "readinglog_count"),
  down("want_to_read", "want_to_read_count"),
  down("currently_reading", "currently_reading_count"),
  down("already_read", "already_read_count"),
  down("stopped_reading", "stopped_reading_count"),
  up("title", "title_sort"),
  down("scans", "ebook_count_i"),
  ...bothWays("lcc_sort", "lcc_sort", "asc"),
  ...bothWays("ddc_sort", "ddc_sort", "asc"),
  ...bothWays("ebook_access", "ebook_access", "desc"),
  ...bothWays("osp_count", "osp_count", "desc"),
  ...bothWays("key", "key", "asc"),
]);

/** The orders of the editions of a work (search.md 4.5); only asked for inside `query`. */
const EDITION_SORTS = new Map<string, Sort>([
  up("old", "publish_year"),
  down("new", "publish_year"),
  up("title", "title_sort"),
  ...bothWays("ebook_access", "ebook_access", "desc"),
  ...bothWays("key", "key", "asc"),
  ...bothWays("access_score", "access_score", "desc"),
  ...bothWays("discovery_score", "discovery_score", "desc"),
  ...bothWays("evaluation_score", "evaluation_score", "desc"),
  ...bothWays("usefulness_score", "usefulness_score", "desc"),
]);

/** Reads `sort=` of a search for works; `now` is in milliseconds since the epoch. Never throws. */
export function parseWorkSort(text: string, now: number): ParsedSort {
  return parseSorts(text, WORK_SORTS, now);
}

/** Reads `editions.sort` of `query=`; `now` is in milliseconds since the epoch. Never throws. */
export function parseEditionSort(text: string, now: number): ParsedSort {
  return parseSorts(text, EDITION_SORTS, now);
}

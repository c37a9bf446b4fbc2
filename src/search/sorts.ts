import { SHELVES } from "../catalog/patrons/shelves.ts";
import type { Sort } from "./engine.ts";

/** Seed of a random order that names none. */
const PLAIN_SEED = "1";
const RANDOM = /^random(?:\.(hourly|daily))?(?:_(.+?))?(?: (asc|desc))?$/;

/**
 * A random order by its name, such as `random`, `random desc`, `random.hourly`, `random_<seed> asc`; undefined for
 * every other name. `now` is in milliseconds since the epoch: it is the seed of the hourly and daily orders, so that
 * all readers see the same one.
 */
function randomSort(name: string, now: number): Sort | undefined {
  const match = RANDOM.exec(name);
  if (match === null) return undefined;
  const [, period, seed, direction] = match;
  // Only an order with a seed of its own can be turned round by the hour or the day.
  if (period !== undefined && seed === undefined && direction !== undefined) return undefined;
  const base = period === undefined ? PLAIN_SEED : periodSeed(period, now);
  return {
    field: "random",
    descending: direction === "desc",
    seed: seed === undefined ? base : `${base}_${seed}`,
  };
}

/** `YYYYMMDDTHH` of an hour, `YYYYMMDD` of a day, in UTC. */
function periodSeed(period: string, now: number): string {
  const time = new Date(now).toISOString();
  const day = time.slice(0, 10).replaceAll("-", "");
  return period === "daily" ? day : `${day}T${time.slice(11, 13)}`;
}

/** What the names of a scheme's orders stand for. */
type SortNames = ReadonlyMap<string, Sort>;

/** Orders by their names, or the first name that is none. */
export type ParsedSort =
  | { readonly sorts: readonly Sort[] }
  | { readonly invalid: string; readonly message: string };

/** The names of orders that start a random one with a seed of the client's own. */
const SEEDED = ["random_", "random.hourly_", "random.daily_"];
const RANDOM_NAMES = ["random", "random asc", "random desc", "random.hourly", "random.daily"];

/** `<name>`, `<name> asc` and `<name> desc` for one field; the bare name is one of the two. */
function bothWays(name: string, field: string, bare: "asc" | "desc"): [string, Sort][] {
  return [
    [name, { field, descending: bare === "desc" }],
    [`${name} asc`, { field, descending: false }],
    [`${name} desc`, { field, descending: true }],
  ];
}

/**
 * Reads a comma-separated list of orders; an empty text is the order of relevance, no sorts at
 * all. `now` is in milliseconds since the epoch.
 */
function parseSorts(text: string, names: SortNames, now: number): ParsedSort {
  const wanted = text.split(",").map((name) => name.trim());
  const sorts: Sort[] = [];
  for (const name of wanted.filter((one) => one !== "")) {
    const sort = names.get(name) ?? randomSort(name, now);
    if (sort === undefined) return { invalid: name, message: invalidSort(name, names) };
    sorts.push(sort);
  }
  return { sorts };
}

/** What a client is told of an order that does not exist. */
function invalidSort(name: string, names: SortNames): string {
  const options = [...names.keys(), ...RANDOM_NAMES, ...SEEDED].join(", ");
  return `Invalid sort option: '${name}'. Valid options are: ${options}`;
}

/** The orders of authors by their names on the wire. */
const AUTHOR_SORTS = new Map<string, Sort>([
  ["work_count desc", { field: "work_count", descending: true }],
  ["name", { field: "name", descending: false }],
  ["birth_date asc", { field: "birth_date", descending: false }],
  ["birth_date desc", { field: "birth_date", descending: true }],
]);

/** The orders of lists and series. */
const LIST_SORTS = new Map<string, Sort>([
  ["name asc", { field: "name", descending: false }],
  ...bothWays("last_modified", "last_modified", "desc"),
  ...bothWays("seed_count", "seed_count", "desc"),
]);

/** Reads `sort=` of a search for authors; `now` is in milliseconds since the epoch. Never throws. */
export function parseAuthorSort(text: string, now: number): ParsedSort {
  return parseSorts(text, AUTHOR_SORTS, now);
}

/** Reads `sort=` of a search for lists; `now` is in milliseconds since the epoch. Never throws. */
export function parseListSort(text: string, now: number): ParsedSort {
  return parseSorts(text, LIST_SORTS, now);
}

const down = (name: string, field: string): [string, Sort] => [name, { field, descending: true }];
const up = (name: string, field: string): [string, Sort] => [name, { field, descending: false }];

/** The orders of works by their names on the wire. */
const WORK_SORTS = new Map<string, Sort>([
  down("editions", "edition_count"),
  up("old", "first_publish_year"),
  down("new", "first_publish_year"),
  ...bothWays("trending_score_hourly_sum", "trending_score_hourly_sum", "desc"),
  ...bothWays("trending", "trending_z_score", "desc"),
  ...bothWays("rating", "ratings_sortable", "desc"),
  down("readinglog", "readinglog_count"),
  ...SHELVES.map(({ count }) => down(count, `${count}_count`)),
  up("title", "title_sort"),
  down("scans", "ebook_count_i"),
  ...bothWays("lcc_sort", "lcc_sort", "asc"),
  ...bothWays("ddc_sort", "ddc_sort", "asc"),
  ...bothWays("ebook_access", "ebook_access", "desc"),
  ...bothWays("osp_count", "osp_count", "desc"),
  ...bothWays("key", "key", "asc"),
]);

/** The orders of the editions of a work; only asked for inside `query`. */
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

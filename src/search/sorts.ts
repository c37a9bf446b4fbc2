import { SHELVES } from "../catalog/patrons/shelves.ts";
import { marcCodeOf } from "../catalog/language.ts";
import type { Sort } from "./engine.ts";
import type { Text } from "../catalog/texts.ts";

const PLAIN_SEED = "1";
const RANDOM = /^random(?:\.(hourly|daily))?(?:_(.+?))?(?: (asc|desc))?$/;

/**
 * Returns a random order by its name, such as `random`, `random desc`, `random.hourly`, `random_<seed> asc`; undefined
 * for every other name. `now` is in milliseconds since the epoch: it is the seed of the hourly and daily orders, so
 * that all clients see the same one.
 */
function parseRandomSort(name: string, now: number): Sort | undefined {
  const match = RANDOM.exec(name);
  if (match === null) return undefined;
  const [, period, seed, direction] = match;
  // Hourly and daily orders accept a direction only with a seed of their own.
  if (period !== undefined && seed === undefined && direction !== undefined) return undefined;
  const base = period === undefined ? PLAIN_SEED : periodSeedOf(period, now);
  return {
    field: "random",
    descending: direction === "desc",
    seed: seed === undefined ? base : `${base}_${seed}`,
  };
}

/** Returns `YYYYMMDDTHH` of an hour, `YYYYMMDD` of a day, in UTC. */
function periodSeedOf(period: string, now: number): string {
  const time = new Date(now).toISOString();
  const day = time.slice(0, 10).replaceAll("-", "");
  return period === "daily" ? day : `${day}T${time.slice(11, 13)}`;
}

/** Orders by their names; none, with the reason, if one of the names is no order. */
export interface ParsedSort {
  readonly sorts: readonly Sort[];
  readonly refusal?: Text;
}

/**
 * Reader of a comma-separated list of orders; an empty text is the order of relevance, without sorts. `now` is in
 * milliseconds since the epoch. Never throws.
 */
export interface SortReader {
  (text: string, now: number): ParsedSort;
  readonly names: readonly string[];
}

const RANDOM_NAMES = ["random", "random asc", "random desc", "random.hourly", "random.daily"];
const SEEDED_NAMES = ["random_", "random.hourly_", "random.daily_"];

const LANGUAGE = /^lang:(\S+)$/;

/** Q796: returns the order of editions that has those in a language first, `lang:de`; undefined for other names. */
function parseLanguageSort(name: string): Sort | undefined {
  const code = marcCodeOf(LANGUAGE.exec(name)?.[1] ?? "");
  return code === undefined ? undefined : { field: "language", descending: true, seed: code };
}

function makeSortReader(
  entries: readonly (readonly [name: string, sort: Sort])[],
  parseOther: (name: string, now: number) => Sort | undefined = parseRandomSort,
): SortReader {
  const sortsByName = new Map(entries);
  const names = [...sortsByName.keys(), ...RANDOM_NAMES];
  const options = [...names, ...SEEDED_NAMES].join(", ");
  const read = (text: string, now: number): ParsedSort => {
    const wanted = text.split(",").map((name) => name.trim());
    const sorts: Sort[] = [];
    for (const name of wanted.filter((part) => part !== "")) {
      const sort = sortsByName.get(name) ?? parseOther(name, now);
      if (sort === undefined)
        return { sorts: [], refusal: { key: "validation.sort", values: { name, options } } };
      sorts.push(sort);
    }
    return { sorts };
  };
  return Object.assign(read, { names });
}

function ascending(name: string, field = name): [string, Sort] {
  return [name, { field, descending: false }];
}

function descending(name: string, field = name): [string, Sort] {
  return [name, { field, descending: true }];
}

/** Returns `<name>`, `<name> asc` and `<name> desc` for one field; the bare name is one of the two. */
function bothWays(bare: "asc" | "desc", name: string, field = name): [string, Sort][] {
  return [
    bare === "desc" ? descending(name, field) : ascending(name, field),
    ascending(`${name} asc`, field),
    descending(`${name} desc`, field),
  ];
}

export const parseAuthorSort = makeSortReader([
  descending("work_count desc", "work_count"),
  ascending("name"),
  ascending("birth_date asc", "birth_date"),
  descending("birth_date desc", "birth_date"),
]);

export const parseListSort = makeSortReader([
  ascending("name asc", "name"),
  ...bothWays("desc", "last_modified"),
  ...bothWays("desc", "seed_count"),
]);

export const parseWorkSort = makeSortReader([
  descending("editions", "edition_count"),
  ascending("old", "first_publish_year"),
  descending("new", "first_publish_year"),
  ...bothWays("desc", "trending_score_hourly_sum"),
  ...bothWays("desc", "trending", "trending_z_score"),
  ...bothWays("desc", "rating", "ratings_sortable"),
  descending("readinglog", "readinglog_count"),
  ...SHELVES.map(({ count }) => descending(count, `${count}_count`)),
  ascending("title", "title_sort"),
  descending("scans", "ebook_count_i"),
  ...bothWays("asc", "lcc_sort"),
  ...bothWays("asc", "ddc_sort"),
  ...bothWays("desc", "ebook_access"),
  ...bothWays("desc", "osp_count"),
  ...bothWays("asc", "key"),
]);

/** Orders of the editions of a work. */
export const parseEditionSort = makeSortReader(
  [
    ascending("old", "publish_year"),
    descending("new", "publish_year"),
    ascending("title", "title_sort"),
    ...bothWays("desc", "ebook_access"),
    ...bothWays("asc", "key"),
    ["lang:eng", { field: "language", descending: true, seed: "eng" }],
    ...["access", "discovery", "evaluation", "usefulness"].flatMap((name) =>
      bothWays("desc", `${name}_score`),
    ),
  ],
  (name, now) => parseLanguageSort(name) ?? parseRandomSort(name, now),
);

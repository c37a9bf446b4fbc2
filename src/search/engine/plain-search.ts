import { type PlainPlan, matchUnnamed, freeLeavesOf, planPlainQuery } from "../plan/plain-query.ts";
import { type Match, beginPhrase } from "../plan/match.ts";
import { queryTermsOf } from "../text/analysis.ts";
import { type PlainSearch, type Sort, type Document, WINDOW_PLAIN_MAX } from "../engine.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../plain-fields.ts";
import { checkWords, checkBreadth } from "../plan/too-broad.ts";
import type { StoredList, StoredSubject, StoredAuthor } from "../documents/types.ts";
import { expandList, expandSubject, expandAuthor } from "../present/expand.ts";
export interface PlainSource {
  readonly name: PlainScheme;
  /** Weights of the full-text columns, in order, for `bm25`. */
  readonly weights: readonly number[];
  readonly columns: readonly string[];
  /** Column that measures popularity; indexed in large tables. */
  readonly popular: string;
  /** Returns SQL of the points that popularity adds to the score. */
  popularity(column: string): string;
  readonly nameSort: string | undefined;
  readonly sorts: ReadonlyMap<string, string>;
  documentOf(row: Readonly<Record<string, unknown>>): Document;
}

/** Maximum linear points that an author's works add to their score. */
const WORKS_POINTS_MAX = 20;

const AUTHOR: PlainSource = {
  name: "author",
  weights: [2, 1, 0.5, 0.5, 0.5, 0.5, 0],
  columns: ["document", "work_count"],
  popular: "work_count",
  // Beyond these points the logarithm still separates well-known authors from others.
  popularity: (column) => `min(${column}, ${WORKS_POINTS_MAX}) + ln(1 + ${column})`,
  nameSort: "name_sort",
  sorts: new Map([
    ["work_count", "work_count"],
    ["name", "name_sort"],
    ["birth_date", "birth_date"],
    ["death_date", "death_date"],
    ["random", "random"],
  ]),
  // The column holds what `authorRows` returned.
  documentOf: ({ document, work_count: count }) =>
    expandAuthor({ ...(JSON.parse(String(document)) as StoredAuthor), work_count: Number(count) }),
};

const SUBJECT: PlainSource = {
  name: "subject",
  weights: [1, 0],
  columns: ["key", "name", "subject_type", "work_count"],
  popular: "work_count",
  popularity: (column) => `ln(1 + ${column})`,
  nameSort: undefined,
  sorts: new Map([["work_count", "work_count"]]),
  // The columns are the members of a stored subject.
  documentOf: (row) => expandSubject(row as unknown as StoredSubject),
};

const LIST: PlainSource = {
  name: "list",
  weights: [10, 1, 1, 1, 1, 0],
  columns: ["document"],
  popular: "seed_count",
  popularity: (column) => `ln(1 + ${column}) / 10`,
  nameSort: "name_sort",
  sorts: new Map([
    ["name", "name_sort"],
    ["last_modified", "last_modified"],
    ["seed_count", "seed_count"],
    ["random", "random"],
  ]),
  // The column holds what `listRows` returned.
  documentOf: ({ document }) => expandList(JSON.parse(String(document)) as StoredList),
};

export const PLAIN_SOURCES: Readonly<Record<PlainScheme, PlainSource>> = {
  author: AUTHOR,
  subject: SUBJECT,
  list: LIST,
};

export const PLAIN_SCHEMES = ["author", "subject", "list"] as const;

/** Points for containing the query as a phrase, and for a name equal to the query. */
export const PHRASE_POINTS = 50;

export const NAME_POINTS = 20;

const BEST_FIRST: Sort = { field: "score", descending: true };

/** Search for authors, subjects or lists in the form for the index. */
export interface PreparedPlain {
  readonly plan: PlainPlan;
  /** Full-text match of all results; undefined if every document is a candidate. */
  readonly driver: Match | undefined;
  readonly rest: PlainPlan;
  readonly sorts: readonly Sort[];
  readonly offset: number;
  /** Zero if only the total is needed. */
  readonly limit: number;
}

/** Plans a search for authors, subjects or lists. Throws a `TooBroadError` for too many wildcards or words. */
export function preparePlain(
  scheme: PlainScheme,
  { query, filters, sort, start, rows, after }: PlainSearch,
): PreparedPlain {
  const queries = [query, ...filters];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || PLAIN_FIELDS[scheme].get(field)?.words !== undefined);
  const plan = planPlainQuery({ op: "and", of: queries }, scheme);
  const isPage = after !== undefined || start + rows <= WINDOW_PLAIN_MAX;
  const page = {
    sorts: sort.length > 0 || after !== undefined ? sort : [BEST_FIRST],
    offset: after === undefined ? start : 0,
    limit: isPage ? rows : 0,
  };
  if (plan.kind === "match") return { plan, driver: plan.match, rest: { kind: "all" }, ...page };
  const [first, ...others] = plan.kind === "and" ? plan.of : [];
  if (first?.kind !== "match") return { plan, driver: undefined, rest: plan, ...page };
  return { plan, driver: first.match, rest: { kind: "and", of: others }, ...page };
}

/** Returns the words without a field, as written. */
export function freeText({ query }: PlainSearch): string {
  return freeLeavesOf(query)
    .flatMap(({ value }) => (value.kind === "word" || value.kind === "phrase" ? [value.text] : []))
    .join(" ");
}

/** Returns a match for all the words as a phrase, by its beginning; undefined for fewer than two words. */
export function phraseOf(scheme: PlainScheme, text: string): Match | undefined {
  const tokens = queryTermsOf(text).flatMap((term) => term.tokens);
  if (tokens.length < 2) return undefined;
  const beginning = beginPhrase(tokens);
  return matchUnnamed(scheme, beginning.length < tokens.length ? beginning.join(" ") : text);
}

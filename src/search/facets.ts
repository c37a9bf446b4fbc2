import type { FacetSearch, FacetRequest, FacetValue } from "./engine.ts";
import { EBOOK_ACCESS_LEVELS } from "../catalog/ebook-access.ts";
import { ACCESS_FLAGS } from "./documents/scans.ts";
import { SUBJECT_TYPES } from "./documents/subject-key.ts";
import { FIELDS, findFieldsHaving } from "./fields.ts";
import { fold, compareValues } from "./text/collation.ts";

interface FacetSource {
  member: string;
  /** Mark of values that are the keys of the names in the list, which several names of a work may share. */
  keyed?: true;
  /** Access level; the value is true for works with at least this access. */
  level?: number;
}

export const FACET_SOURCES: ReadonlyMap<string, FacetSource> = new Map([
  ...findFieldsHaving("code").flatMap(([field]): [string, FacetSource][] =>
    FIELDS.get(field)?.holds === "texts" ? [[field, { member: field }]] : [],
  ),
  ["author_facet", { member: "author_key" }],
  ["publisher_facet", { member: "publisher" }],
  ...SUBJECT_TYPES.flatMap((type): [string, FacetSource][] => [
    [`${type}_facet`, { member: type }],
    [`${type}_key`, { member: type, keyed: true }],
  ]),
  ["publish_year", { member: "publish_year" }],
  ["first_publish_year", { member: "first_publish_year" }],
  ...Array.from(ACCESS_FLAGS, ([field, level]): [string, FacetSource] => [
    field,
    { member: "ebook_access", level },
  ]),
]);

/** Returns the column of `work_facet` that a field is counted by; undefined for fields counted from documents. */
export function facetColumnOf(field: string): string | undefined {
  const member = FACET_SOURCES.get(field)?.member ?? "";
  return FIELDS.get(member)?.counted === undefined ? undefined : member;
}

/** Returns the values of a field from those of its column. Authors are number and name; their keys are the number. */
export function fieldValuesOf(field: string, values: readonly FacetValue[]): readonly FacetValue[] {
  const level = FACET_SOURCES.get(field)?.level;
  if (field === "author_key") {
    const counts = new Map<string, number>();
    for (const { value, count } of values) {
      const [number = ""] = value.split(" ", 1);
      counts.set(number, (counts.get(number) ?? 0) + count);
    }
    return [...counts].map(([value, count]) => ({ value, count }));
  }
  if (level === undefined) return values;
  const open = new Set<string>(EBOOK_ACCESS_LEVELS.slice(level));
  return [true, false].map((isOpen) => {
    const matching = values.filter(({ value }) => open.has(value) === isOpen);
    return { value: String(isOpen), count: matching.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** Returns true if the values of a field are keys that several names of a work may share. */
export function isKeyed(field: string): boolean {
  return FACET_SOURCES.get(field)?.keyed === true;
}

/** Error for an index without facets of works: an older version built it, and it must be rebuilt. */
export class FacetsMissingError extends Error {
  constructor() {
    super("the index cannot count: npm run reindex");
  }
}

/** Returns a request for the most frequent values of a field; for all of them if the limit is -1. */
export function requestMostFrequent(field: string, limit: number): FacetRequest {
  return { field, limit, sort: "count", offset: 0, mincount: 1 };
}

/** Maximum number of values of a field that are read if all are requested, or those that contain a text. */
export const FACET_VALUES_MAX = 20_000;
const KEYED_NAMES_MAX = 100_000;

/** Returns the number of most frequent values that must be known to answer a request. */
export function countNeededValues(request: FacetRequest): number {
  const { field, limit, offset, sort, contains, prefix } = request;
  if (isKeyed(field)) return KEYED_NAMES_MAX;
  const isSummed = FACET_SOURCES.get(field)?.level !== undefined;
  const needsAll =
    isSummed || limit < 0 || sort === "index" || contains !== undefined || prefix !== undefined;
  return needsAll ? FACET_VALUES_MAX : Math.min(FACET_VALUES_MAX, offset + limit);
}

function valueTestOf({ contains, prefix = "" }: FacetRequest): (value: string) => boolean {
  const wanted = contains === undefined ? undefined : fold(contains);
  return (value) => value.startsWith(prefix) && (wanted === undefined || fold(value).includes(wanted));
}

/** Returns the requested values out of all; ties of the count go by the value. */
export function pickValues(values: readonly FacetValue[], request: FacetRequest): FacetValue[] {
  const { limit, offset, sort, mincount } = request;
  const isWanted = valueTestOf(request);
  const matching = values.filter(({ value, count }) => count >= Math.max(1, mincount) && isWanted(value));
  const sorted = matching.sort(
    (a, b) => (sort === "index" ? 0 : b.count - a.count) || compareValues(a.value, b.value),
  );
  return sorted.slice(offset, limit < 0 ? undefined : offset + limit);
}

/** Digits of the codes in texts of `work_facet`, as in migrations/search/0005_facets.sql, five bits each. */
const LAST_DIGIT = 48;
const OTHER_DIGIT = 93;
const DIGIT_BITS = 5;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;

/** Mark between the columns of the codes of a work. */
export const COLUMN_END = "!";

/** Calls `visit` with each code of a work, with the position of its column in the text. */
export function eachCode(text: string, visit: (code: number, column: number) => void): void {
  let code = 0;
  let column = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= OTHER_DIGIT) code = (code << DIGIT_BITS) | (unit - OTHER_DIGIT);
    else if (unit >= LAST_DIGIT) {
      visit((code << DIGIT_BITS) | (unit - LAST_DIGIT), column);
      code = 0;
    } else column += 1;
  }
}

/** Returns the form of a code in the texts. */
export function packCode(code: number): string {
  let packed = String.fromCharCode(LAST_DIGIT + (code & DIGIT_MASK));
  for (let rest = code >> DIGIT_BITS; rest > 0; rest >>= DIGIT_BITS) {
    packed = String.fromCharCode(OTHER_DIGIT + (rest & DIGIT_MASK)) + packed;
  }
  return packed;
}

export interface CountedCode {
  readonly code: number;
  readonly count: number;
}

/** Most frequent codes: certain ones, those with the count of the last, and the number of these needed. */
export interface MostFrequent {
  readonly sure: readonly CountedCode[];
  readonly equal: readonly CountedCode[];
  readonly missing: number;
}

/** Counter of codes over works. A code belongs to one column, and a work has it once. */
export class CodeCounts {
  #counts = new Uint32Array(1024);
  readonly #codes: number[][];

  constructor(columns: number) {
    this.#codes = Array.from({ length: columns }, () => []);
  }

  /** Counts the codes of a work. */
  add(text: string): void {
    eachCode(text, (code, column) => {
      if (code >= this.#counts.length) this.#grow(2 * code);
      const count = this.#counts[code] ?? 0;
      if (count === 0) this.#codes[column]?.push(code);
      this.#counts[code] = count + 1;
    });
  }

  /** Returns the codes of a column that include the `needed` most frequent ones, for any order of equal counts. */
  mostFrequent(column: number, needed: number): MostFrequent {
    const codes = this.#codes[column] ?? [];
    const isAll = codes.length <= needed;
    const least = isAll ? 0 : this.#leastOf(codes, Math.max(1, needed));
    const sure: CountedCode[] = [];
    const equal: CountedCode[] = [];
    for (const code of codes) {
      const count = this.#counts[code] ?? 0;
      if (count >= least) (count > least ? sure : equal).push({ code, count });
    }
    return { sure, equal, missing: isAll ? 0 : needed - sure.length };
  }

  #leastOf(codes: readonly number[], needed: number): number {
    let greatest = 0;
    for (const code of codes) greatest = Math.max(greatest, this.#counts[code] ?? 0);
    const codesWith = new Uint32Array(greatest + 1);
    for (const code of codes) {
      const count = this.#counts[code] ?? 0;
      codesWith[count] = (codesWith[count] ?? 0) + 1;
    }
    let least = greatest;
    for (let count = codesWith[least] ?? 0; count < needed; count += codesWith[least] ?? 0) least -= 1;
    return least;
  }

  #grow(length: number): void {
    const counts = new Uint32Array(length);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

/**
 * Factor by which more subjects are read than wanted: they are ordered by the count of their key, and the most frequent
 * spellings are picked from them.
 */
export const FACET_SPELLINGS = 2;

export function isSubject(field: string): boolean {
  return SUBJECT_TYPES.some((type) => field === `${type}_facet`);
}

/** Picks the values for every request. Unknown fields have none. */
export function pickFacets(
  requests: readonly FacetRequest[],
  values: ReadonlyMap<string, readonly FacetValue[]>,
): Record<string, FacetValue[]> {
  return Object.fromEntries(
    requests.map((request) => [request.field, pickValues(values.get(request.field) ?? [], request)]),
  );
}

/** Returns true if nothing restricts the works. */
export function coversWholeIndex({ query, filters, editionClauses, keys }: FacetSearch): boolean {
  const isAll = query.op === "all" && filters.every(({ op }) => op === "all");
  return isAll && editionClauses.length === 0 && keys === undefined;
}

export const SUBJECT_COVER_WORKS_MAX = 50;

import { EBOOK_ACCESS_LEVELS } from "../catalog/ebook-access.ts";
import { ACCESS_FLAGS } from "./documents/scans.ts";
import type { FacetRequest, FacetValue } from "./engine.ts";
import { SUBJECT_TYPES } from "./documents/subject-key.ts";
import { FIELDS, fieldsHaving } from "./fields.ts";
import { fold } from "./text/collation.ts";

interface FacetSource {
  readonly member: string;
  /** Mark of values that are the keys of the names in the list, which several names of a work may share. */
  readonly keyed?: true;
  /** Access level; the value is true for works with at least this access. */
  readonly level?: number;
}

export const FACET_SOURCES: ReadonlyMap<string, FacetSource> = new Map([
  ...fieldsHaving("code").flatMap(([field]): [string, FacetSource][] =>
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
export function facetColumn(field: string): string | undefined {
  const member = FACET_SOURCES.get(field)?.member ?? "";
  return FIELDS.get(member)?.counted === undefined ? undefined : member;
}

/** Returns the values of a field from those of its column. Authors are number and name; their keys are the number. */
export function fieldValues(field: string, values: readonly FacetValue[]): readonly FacetValue[] {
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
export function mostFrequent(field: string, limit: number): FacetRequest {
  return { field, limit, sort: "count", offset: 0, mincount: 1 };
}

/** Maximum number of values of a field that are read if all are requested, or those that contain a text. */
export const FACET_VALUES_MAX = 20_000;
/** Maximum number of names that are read for their shared keys. */
const KEYED_NAMES_MAX = 100_000;

/** Returns the number of most frequent values that must be known to answer a request. */
export function valuesNeeded(request: FacetRequest): number {
  const { field, limit, offset, sort, contains, prefix } = request;
  if (isKeyed(field)) return KEYED_NAMES_MAX;
  const isSummed = FACET_SOURCES.get(field)?.level !== undefined;
  const needsAll =
    isSummed || limit < 0 || sort === "index" || contains !== undefined || prefix !== undefined;
  return needsAll ? FACET_VALUES_MAX : Math.min(FACET_VALUES_MAX, offset + limit);
}

/** Returns a test of values against a request. */
function valueTestOf({ contains, prefix = "" }: FacetRequest): (value: string) => boolean {
  const wanted = contains === undefined ? undefined : fold(contains);
  return (value) => value.startsWith(prefix) && (wanted === undefined || fold(value).includes(wanted));
}

/** Returns the requested values out of all; ties of the count go by the value. */
export function pickValues(values: readonly FacetValue[], request: FacetRequest): FacetValue[] {
  const { limit, offset, sort, mincount } = request;
  const isWanted = valueTestOf(request);
  const matching = values.filter(({ value, count }) => count >= Math.max(1, mincount) && isWanted(value));
  const sorted = matching.sort(sort === "index" ? byValue : byCount);
  return sorted.slice(offset, limit < 0 ? undefined : offset + limit);
}

function byValue(a: FacetValue, b: FacetValue): number {
  return Number(a.value > b.value) - Number(a.value < b.value);
}

function byCount(a: FacetValue, b: FacetValue): number {
  return b.count - a.count || byValue(a, b);
}

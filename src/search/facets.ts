import { ACCESS_FLAGS } from "./documents/scans.ts";
import type { FacetRequest, FacetValue } from "./engine.ts";
import { filterToken, tokenPhrase } from "./indexing/filter-token.ts";
import { SUBJECT_TYPES } from "./documents/subject-key.ts";
import { FIELDS, codeOf, fieldsHaving } from "./fields.ts";
import { fold } from "./text/fold.ts";

/** Where the values of a facet stand. */
type FacetSource =
  /** A list in the stored document. `open`: there are too many values to count them all. */
  | {
      readonly kind: "member";
      readonly member: string;
      readonly code: string;
      readonly open: boolean;
      /** Values are the keys of the names in the list. */
      readonly keyed?: true;
    }
  | { readonly kind: "year" }
  /** Follows from the access: `true` from this level on. */
  | { readonly kind: "level"; readonly level: number };

const member = (
  name: string,
  field: Parameters<typeof codeOf>[0],
  more: { open: boolean; keyed?: true } = { open: true },
): [string, FacetSource] => [
  field,
  // Values of the facet of authors are number and name; the number is enough to find the works.
  { kind: "member", member: name, code: codeOf(field === "author_facet" ? "author_key" : field), ...more },
];
/** Fields whose values can be counted. */
export const FACET_SOURCES: ReadonlyMap<string, FacetSource> = new Map([
  ...fieldsHaving("code").flatMap(([field]) =>
    FIELDS.get(field)?.holds === "texts" ? [member(field, field)] : [],
  ),
  member("author_key", "author_facet"),
  member("publisher", "publisher_facet"),
  ...SUBJECT_TYPES.flatMap((type) => [
    member(type, `${type}_facet`),
    member(type, `${type}_key`, { open: true, keyed: true }),
  ]),
  member("language", "language", { open: false }),
  member("publish_year", "publish_year", { open: false }),
  ["first_publish_year", { kind: "year" }],
  ...Array.from(ACCESS_FLAGS, ([field, level]): [string, FacetSource] => [field, { kind: "level", level }]),
]);

/** Whether the values of a field are keys that several names of a work may share. */
export function isKeyed(field: string): boolean {
  const source = FACET_SOURCES.get(field);
  return source?.kind === "member" && source.keyed === true;
}

/** Expression of the works that have a value; nothing for fields that are no lists. */
export function valuePhrase(field: string, value: string): string {
  const source = FACET_SOURCES.get(field);
  const code = source?.kind === "member" ? source.code : "";
  const [number = ""] = value.split(" ", 1);
  return tokenPhrase(filterToken(code, field === "author_facet" ? number : value));
}

/** The values of a field that most works have; all of them for the limit -1. */
export function mostFrequent(field: string, limit: number): FacetRequest {
  return { field, limit, sort: "count", offset: 0, mincount: 1 };
}

/** Values of a field that are looked at when all are asked for, or those that contain a text. */
export const FACET_VALUES_MAX = 20_000;

/** How many values have to be known to answer a request: the most frequent ones. */
export function valuesNeeded(request: FacetRequest): number {
  const { limit, offset, sort, contains, prefix } = request;
  const needsAll = limit < 0 || sort === "index" || contains !== undefined || prefix !== undefined;
  return needsAll ? FACET_VALUES_MAX : Math.min(FACET_VALUES_MAX, offset + limit);
}

/** Tells whether a request is about a value. */
export function valueTest({ contains, prefix = "" }: FacetRequest): (value: string) => boolean {
  const wanted = contains === undefined ? undefined : fold(contains);
  return (value) => value.startsWith(prefix) && (wanted === undefined || fold(value).includes(wanted));
}

/** The values that a request asks for, out of all: ties of the count go by the value. */
export function pickValues(values: readonly FacetValue[], request: FacetRequest): FacetValue[] {
  const { limit, offset, sort, mincount } = request;
  const isWanted = valueTest(request);
  const kept = values.filter(({ value, count }) => count >= Math.max(1, mincount) && isWanted(value));
  const sorted = kept.sort(sort === "index" ? byValue : byCount);
  return sorted.slice(offset, limit < 0 ? undefined : offset + limit);
}

function byValue(a: FacetValue, b: FacetValue): number {
  return Number(a.value > b.value) - Number(a.value < b.value);
}

function byCount(a: FacetValue, b: FacetValue): number {
  return b.count - a.count || byValue(a, b);
}

import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { FIELD_CODES, tokenPhrase, filterToken } from "../index/filter-token.ts";

/** Where the values of a facet stand. */
export type FacetSource =
  /** A list in the stored document. `open`: there are too many values to count them all. */
  | { readonly kind: "member"; readonly member: string; readonly code: string; readonly open: boolean }
  | { readonly kind: "year" }
  /** Follows from the access: `true` from this level on. */
  | { readonly kind: "level"; readonly level: number };

/** Values of the facet are number and name; the number is enough to find the works. */
const CODED_BY = new Map([["author_facet", "author_key"]]);

const member = (name: string, field: string, open: boolean): [string, FacetSource] => [
  field,
  { kind: "member", member: name, code: FIELD_CODES.get(CODED_BY.get(field) ?? field) ?? field, open },
];
const level = (field: string, access: (typeof EBOOK_ACCESS_LEVELS)[number]): [string, FacetSource] => [
  field,
  { kind: "level", level: EBOOK_ACCESS_LEVELS.indexOf(access) },
];

/** Fields whose values can be counted (search.md 5.2, 5.5). */
export const FACET_SOURCES: ReadonlyMap<string, FacetSource> = new Map([
  member("author_key", "author_facet", true),
  member("publisher", "publisher_facet", true),
  member("subject", "subject_facet", true),
  member("person", "person_facet", true),
  member("place", "place_facet", true),
  member("time", "time_facet", true),
  member("language", "language", false),
  member("publish_year", "publish_year", false),
  ["first_publish_year", { kind: "year" }],
  level("has_fulltext", "printdisabled"),
  level("public_scan_b", "public"),
]);

/** Expression of the works that have a value; nothing for fields that are no lists. */
export function valuePhrase(field: string, value: string): string {
  const source = FACET_SOURCES.get(field);
  const code = source?.kind === "member" ? source.code : "";
  const [number = ""] = value.split(" ", 1);
  return tokenPhrase(filterToken(code, field === "author_facet" ? number : value));
}

import type { SearchColumn } from "./text-match.ts";

/** Where the values of fields stand, for works or for editions. Fields with tokens are those of `fieldCode`. */
export interface FieldScheme {
  /** Columns that text without a field is looked for in. */
  readonly defaults: readonly SearchColumn[];
  /** Fields whose whole value text without a field may be, if it has a digit. */
  readonly defaultTokens: readonly string[];
  readonly texts: ReadonlyMap<string, readonly SearchColumn[]>;
  /** The column of oclc and lccn. */
  readonly numberColumn: readonly SearchColumn[];
  /** Columns of `work` that are compared as numbers. */
  readonly numbers: ReadonlyMap<string, { readonly fractional: boolean }>;
  /** Columns of `work` that are compared as texts. */
  readonly strings: ReadonlySet<string>;
  /** Fields of `work_value`. */
  readonly values: ReadonlySet<string>;
}

/** Fields that tell that another has a value. */
const PRESENCE_OF: ReadonlyMap<string, string> = new Map([
  ["author_name", "author_key"],
  ["author_facet", "author_key"],
  ["series_name", "series_key"],
  ["series_position", "series_key"],
  ["subject_key", "subject"],
  ["subject_facet", "subject"],
  ["person_key", "person"],
  ["person_facet", "person"],
  ["place_key", "place"],
  ["place_facet", "place"],
  ["time_key", "time"],
  ["time_facet", "time"],
  ["publisher_facet", "publisher"],
  ["title_suggest", "title"],
  ["first_publish_year", "publish_year"],
  ["lcc_sort", "lcc"],
  ["ddc_sort", "ddc"],
]);

/** Fields that every document has. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set([
  "key",
  "title",
  "title_suggest",
  "ebook_access",
  "has_fulltext",
  "public_scan_b",
]);

/** The field whose presence token tells that a field has a value; undefined when every document has one. */
export function presenceField(field: string): string | undefined {
  return ALWAYS_PRESENT.has(field) ? undefined : (PRESENCE_OF.get(field) ?? field);
}

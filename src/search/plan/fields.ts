import { EDITION_TEXT_COLUMNS, WORK_TEXT_COLUMNS } from "../indexing/columns.ts";
import type { SearchColumn } from "./match.ts";

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

const WORK_COLUMNS = new Map<string, SearchColumn>(WORK_TEXT_COLUMNS.map((column) => [column.name, column]));

/** Columns that text without a field is looked for in. `number` holds oclc and lccn. */
const DEFAULT_COLUMNS = workColumns(
  "alternative_title author_name series_name chapter author_alternative_name subject place person time publisher " +
    "contributor number",
);

/** Those in which a word counts for far more than in the others. */
export const STRONG_COLUMNS = workColumns("alternative_title author_name series_name");

/** Fields of a whole value without a column that text without a field may be, if it has a digit. */
const DEFAULT_TOKENS = "ia oclc lccn isbn key edition_key author_key series_key series_position".split(" ");

const NUMBER_COLUMNS = [
  "cover_i",
  "edition_count",
  "number_of_pages_median",
  "ratings_count",
  "readinglog_count",
  "want_to_read_count",
  "currently_reading_count",
  "already_read_count",
  "stopped_reading_count",
  "osp_count",
  "ebook_count_i",
  "trending_score_hourly_sum",
  "trending_z_score",
  "ratings_sortable",
];
const FRACTIONAL = new Set(["trending_z_score", "ratings_sortable"]);

/** How works answer conditions. */
export const WORK_FIELDS: FieldScheme = {
  defaults: DEFAULT_COLUMNS,
  defaultTokens: DEFAULT_TOKENS,
  texts: new Map<string, readonly SearchColumn[]>([
    ...[...WORK_COLUMNS]
      .filter(([name]) => name !== "number")
      .map(([name, column]) => [name, [column]] as const),
    ["title_suggest", workColumns("title")],
  ]),
  numberColumn: workColumns("number"),
  numbers: new Map(NUMBER_COLUMNS.map((name) => [name, { fractional: FRACTIONAL.has(name) }])),
  strings: new Set(["lcc_sort", "ddc_sort"]),
  values: new Set(["lcc", "ddc", "lexile"]),
};

/** The same with text that names no field only in the strong columns. */
export const STRONG_WORK_FIELDS: FieldScheme = { ...WORK_FIELDS, defaults: STRONG_COLUMNS };

function workColumns(names: string): SearchColumn[] {
  return names.split(" ").flatMap((name) => WORK_COLUMNS.get(name) ?? []);
}

const EDITION_COLUMNS = new Map<string, SearchColumn>(
  EDITION_TEXT_COLUMNS.map((column) => [column.name, column]),
);

/** How editions answer conditions. What is not here says nothing about editions. */
export const EDITION_FIELDS: FieldScheme = {
  defaults: [...EDITION_COLUMNS.values()],
  defaultTokens: [],
  texts: new Map<string, readonly SearchColumn[]>([
    ...[...EDITION_COLUMNS]
      .filter(([name]) => name !== "number")
      .map(([name, column]) => [name, [column]] as const),
    ["title_suggest", editionColumns("title")],
    ["alternative_subtitle", editionColumns("subtitle")],
  ]),
  numberColumn: editionColumns("number"),
  numbers: new Map(),
  strings: new Set(),
  values: new Set(),
};

function editionColumns(name: string): SearchColumn[] {
  const column = EDITION_COLUMNS.get(name);
  return column === undefined ? [] : [column];
}

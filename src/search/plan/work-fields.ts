import { WORK_TEXT_COLUMNS } from "../index/columns.ts";
import type { FieldScheme } from "./field-scheme.ts";
import type { SearchColumn } from "./text-match.ts";

const COLUMNS = new Map<string, SearchColumn>(WORK_TEXT_COLUMNS.map((column) => [column.name, column]));

/** Columns that text without a field is looked for in (search.md 4.1). `number` holds oclc and lccn. */
const DEFAULT_COLUMNS = columnsOf(
  "alternative_title author_name series_name chapter author_alternative_name subject place person time publisher " +
    "contributor number",
);

/** Those in which a word counts for far more than in the others (search.md 4.1). */
export const STRONG_COLUMNS = columnsOf("alternative_title author_name series_name");

/** Fields of a whole value without a column that text without a field may be, if it has a digit (search.md 13.2). */
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

/** How works answer conditions (search.md 3.4). */
export const WORK_FIELDS: FieldScheme = {
  defaults: DEFAULT_COLUMNS,
  defaultTokens: DEFAULT_TOKENS,
  texts: new Map<string, readonly SearchColumn[]>([
    ...[...COLUMNS].filter(([name]) => name !== "number").map(([name, column]) => [name, [column]] as const),
    ["title_suggest", columnsOf("title")],
  ]),
  numberColumn: columnsOf("number"),
  numbers: new Map(NUMBER_COLUMNS.map((name) => [name, { fractional: FRACTIONAL.has(name) }])),
  strings: new Set(["lcc_sort", "ddc_sort"]),
  values: new Set(["lcc", "ddc", "lexile"]),
};

/** The same with text that names no field only in the strong columns. */
export const STRONG_WORK_FIELDS: FieldScheme = { ...WORK_FIELDS, defaults: STRONG_COLUMNS };

function columnsOf(names: string): SearchColumn[] {
  return names.split(" ").flatMap((name) => COLUMNS.get(name) ?? []);
}

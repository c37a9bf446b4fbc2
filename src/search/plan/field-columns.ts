import { findFieldsHaving } from "../fields.ts";
import { EDITION_TEXT_COLUMNS, NUMBER_COLUMN, WORK_TEXT_COLUMNS } from "../indexing/columns.ts";
import type { SearchColumn } from "./match.ts";

export interface FieldColumns {
  readonly defaults: readonly SearchColumn[];
  /** Fields whose whole value text without a field may be, if it has a digit. */
  readonly defaultTokens: readonly string[];
  readonly texts: ReadonlyMap<string, readonly SearchColumn[]>;
  readonly numbers: ReadonlyMap<string, { readonly fractional: boolean }>;
  readonly strings: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const UNNAMED = findFieldsHaving("unnamed");
const COMPARED = findFieldsHaving("compared");

/** Columns in which a word without a field counts for far more than in the others. */
export const STRONG_COLUMNS = columnsNamed(UNNAMED.filter(([, unnamed]) => unnamed === "strong"));

export const WORK_FIELDS: FieldColumns = {
  defaults: [...columnsNamed(UNNAMED.filter(([, unnamed]) => unnamed !== "value")), NUMBER_COLUMN],
  defaultTokens: UNNAMED.flatMap(([name, unnamed]) => (unnamed === "value" ? [name] : [])),
  texts: textColumnsOf(WORK_TEXT_COLUMNS, [["title_suggest", "title"]]),
  numbers: new Map(
    COMPARED.flatMap(([name, as]) =>
      as === "whole" || as === "fraction" ? [[name, { fractional: as === "fraction" }]] : [],
    ),
  ),
  strings: new Set(COMPARED.flatMap(([name, as]) => (as === "text" ? [name] : []))),
  values: new Set(COMPARED.flatMap(([name, as]) => (as === "values" ? [name] : []))),
};

export const STRONG_WORK_FIELDS: FieldColumns = { ...WORK_FIELDS, defaults: STRONG_COLUMNS };

/** Fields of editions for conditions. Other fields say nothing about editions. */
export const EDITION_FIELDS: FieldColumns = {
  defaults: EDITION_TEXT_COLUMNS,
  defaultTokens: [],
  texts: textColumnsOf(EDITION_TEXT_COLUMNS, [
    ["title_suggest", "title"],
    ["alternative_subtitle", "subtitle"],
  ]),
  numbers: new Map(),
  strings: new Set(),
  values: new Set(),
};

function columnsNamed(fields: readonly (readonly [name: string, ...unknown[]])[]): SearchColumn[] {
  return fields.flatMap(([field]) => WORK_TEXT_COLUMNS.filter(({ name }) => name === field));
}

/** Returns the columns of each field: its own, and for other names of a column, that column. */
function textColumnsOf(
  columns: readonly SearchColumn[],
  others: readonly (readonly [name: string, column: string])[],
): Map<string, readonly SearchColumn[]> {
  const ownNames = columns
    .filter((column) => column !== NUMBER_COLUMN)
    .map(({ name }) => [name, name] as const);
  return new Map(
    [...ownNames, ...others].map(([field, column]) => [field, columns.filter(({ name }) => name === column)]),
  );
}

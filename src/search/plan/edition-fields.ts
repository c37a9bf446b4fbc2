import { EDITION_TEXT_COLUMNS } from "../index/columns.ts";
import type { FieldScheme } from "./field-scheme.ts";
import type { SearchColumn } from "./text-match.ts";

const COLUMNS = new Map<string, SearchColumn>(EDITION_TEXT_COLUMNS.map((column) => [column.name, column]));

/** How editions answer conditions (search.md 6.2). What is not here says nothing about editions. */
export const EDITION_FIELDS: FieldScheme = {
  defaults: [...COLUMNS.values()],
  defaultTokens: [],
  texts: new Map<string, readonly SearchColumn[]>([
    ...[...COLUMNS].filter(([name]) => name !== "number").map(([name, column]) => [name, [column]] as const),
    ["title_suggest", columnsOf("title")],
    ["alternative_subtitle", columnsOf("subtitle")],
  ]),
  numberColumn: columnsOf("number"),
  numbers: new Map(),
  strings: new Set(),
  values: new Set(),
};

function columnsOf(name: string): SearchColumn[] {
  const column = COLUMNS.get(name);
  return column === undefined ? [] : [column];
}

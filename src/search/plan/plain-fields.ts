import type { Scheme } from "../engine.ts";
import {
  type TextColumn as IndexColumn,
  AUTHOR_TEXT_COLUMNS,
  LIST_TEXT_COLUMNS,
  SUBJECT_TEXT_COLUMNS,
} from "../indexing/columns.ts";
import { FIELD_CODES } from "../indexing/filter-token.ts";

/** Schemes whose documents are searched without popularity tiers, facets and editions. */
export type PlainScheme = Exclude<Scheme, "work">;

/** A column of the full-text table of a scheme. */
export type TextColumn = IndexColumn<string>;

/** Where the values of a field stand in the index. */
export type PlainField =
  /** `ordered`: the table has a column of that name too, with the text as it is written. */
  | { readonly kind: "text"; readonly column: TextColumn; readonly ordered: boolean }
  /** A filter token. `lastSegment`: keys count without their folder. */
  | { readonly kind: "token"; readonly code: string; readonly lastSegment: boolean }
  | { readonly kind: "column"; readonly name: string; readonly numeric: boolean };

/** What may be asked of a scheme. */
interface SchemeFields {
  /** Columns of text that names no field. */
  readonly defaults: readonly TextColumn[];
  readonly fields: ReadonlyMap<string, PlainField>;
  /** Members of the document that a few documents lack: what `field:*` looks at. */
  readonly optional: ReadonlySet<string>;
}

type Entry = readonly [name: string, field: PlainField];

const texts = (columns: readonly TextColumn[], ordered: readonly string[] = []): Entry[] =>
  columns.map((column) => [column.name, { kind: "text", column, ordered: ordered.includes(column.name) }]);
const string = (name: string): Entry => [name, { kind: "column", name, numeric: false }];
const number = (name: string): Entry => [name, { kind: "column", name, numeric: true }];
const token = (name: string, lastSegment = false): Entry => [
  name,
  { kind: "token", code: FIELD_CODES.get(name) ?? name, lastSegment },
];
const named = (columns: readonly TextColumn[], names: readonly string[]): TextColumn[] =>
  columns.filter(({ name }) => names.includes(name));

const AUTHORS: SchemeFields = {
  defaults: named(AUTHOR_TEXT_COLUMNS, ["name", "alternate_names"]),
  fields: new Map([
    token("key", true),
    ...texts(AUTHOR_TEXT_COLUMNS, ["birth_date", "death_date"]),
    number("work_count"),
  ]),
  optional: new Set(["alternate_names", "birth_date", "death_date", "date", "top_subjects"]),
};

const SUBJECTS: SchemeFields = {
  defaults: SUBJECT_TEXT_COLUMNS,
  fields: new Map([
    string("key"),
    ...texts(SUBJECT_TEXT_COLUMNS),
    token("subject_type"),
    number("work_count"),
  ]),
  optional: new Set(),
};

const LISTS: SchemeFields = {
  defaults: LIST_TEXT_COLUMNS,
  fields: new Map([
    string("key"),
    token("list_type"),
    token("seed"),
    ...texts(LIST_TEXT_COLUMNS),
    ...["subject_key", "place_key", "person_key", "time_key"].map((name) => token(name)),
    string("last_modified"),
    number("seed_count"),
  ]),
  optional: new Set(["subject", "place", "person", "time"]),
};

/** The fields of each scheme. */
export const SCHEME_FIELDS: Readonly<Record<PlainScheme, SchemeFields>> = {
  author: AUTHORS,
  subject: SUBJECTS,
  list: LISTS,
};

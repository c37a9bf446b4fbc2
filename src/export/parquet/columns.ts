import { toCanonicalIsbn, toIsbn13 } from "../../catalog/identifiers/isbn.ts";
import {
  type CatalogRecord,
  type Json,
  authorKeysIn,
  elementsOf,
  isObject,
  keysOf,
  stringsOf,
  textOf,
} from "../../catalog/record.ts";
import { publicationYearOf } from "../../catalog/publication-date.ts";
import { languagesOf } from "../../search/documents/values.ts";

export interface DumpedRecord {
  readonly key: string;
  readonly record: CatalogRecord;
  readonly json: string;
}

/** Values by column type. Undefined means null; lists are never null. */
interface Values {
  readonly text: string | undefined;
  readonly texts: readonly string[];
  /** Signed 32-bit integer. */
  readonly number: number | undefined;
  readonly numbers: readonly number[];
  /** Microseconds since the epoch. */
  readonly time: bigint | undefined;
}
export type ColumnType = keyof Values;

export type Column = {
  readonly [Type in ColumnType]: {
    readonly name: string;
    readonly type: Type;
    of(dumped: DumpedRecord): Values[Type];
  };
}[ColumnType];

const textColumn = (name: string): Column => ({
  name,
  type: "text",
  of: ({ record }) => textOf(record[name]),
});
const textsColumn = (name: string): Column => ({
  name,
  type: "texts",
  of: ({ record }) => stringsOf(record[name]),
});
const keysColumn = (name: string): Column => ({
  name,
  type: "texts",
  of: ({ record }) => keysOf(record[name]),
});

const INT32 = 2 ** 31;
const isInt32 = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= -INT32 && value < INT32;

function numberColumn(name: string): Column {
  const of = ({ record }: DumpedRecord) => (isInt32(record[name]) ? record[name] : undefined);
  return { name, type: "number", of };
}

function numbersColumn(name: string): Column {
  return { name, type: "numbers", of: ({ record }) => elementsOf(record[name]).filter(isInt32) };
}

function yearColumn(name: string, member: string): Column {
  return { name, type: "number", of: ({ record }) => publicationYearOf(record, member) };
}

function remoteIdColumn(name: string): Column {
  const of = ({ record }: DumpedRecord) =>
    isObject(record["remote_ids"]) ? textOf(record["remote_ids"][name]) : undefined;
  return { name, type: "text", of };
}

const AUTHORS: Column = {
  name: "authors",
  type: "texts",
  of: ({ record }) => authorKeysIn(record["authors"]),
};
const LANGUAGES: Column = { name: "languages", type: "texts", of: ({ record }) => languagesOf(record) };
/** Column of distinct ISBNs, with 13 digits if possible. */
const ISBN: Column = {
  name: "isbn",
  type: "texts",
  of: ({ record }) => {
    const isbns = [...stringsOf(record["isbn_13"]), ...stringsOf(record["isbn_10"])];
    return [...new Set(isbns.flatMap((isbn) => toIsbn13(isbn) ?? toCanonicalIsbn(isbn) ?? []))];
  },
};

/** Returns a column for a time with six fraction digits; a JavaScript date only keeps three. */
function timeColumn(name: string): Column {
  return { name, type: "time", of: ({ record }) => toMicroseconds(textOf(record[name])) };
}

function toMicroseconds(moment: string | undefined): bigint | undefined {
  if (moment === undefined) return undefined;
  const milliseconds = Date.parse(`${moment.slice(0, 19)}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1000n + BigInt(/^\.(\d{6})$/.exec(moment.slice(19))?.[1] ?? 0);
}

const KEY: Column = { name: "key", type: "text", of: ({ key }) => key };
const ENVELOPE: readonly Column[] = [
  numberColumn("revision"),
  timeColumn("created"),
  timeColumn("last_modified"),
  { name: "json", type: "text", of: ({ json }) => json },
];

/** Columns of each table, in order. All other data is in `json`. */
export const TABLES = {
  editions: [
    KEY,
    textColumn("title"),
    textColumn("subtitle"),
    keysColumn("works"),
    AUTHORS,
    textsColumn("publishers"),
    textsColumn("publish_places"),
    textColumn("publish_date"),
    yearColumn("publish_year", "publish_date"),
    LANGUAGES,
    ISBN,
    textsColumn("lccn"),
    textsColumn("oclc_numbers"),
    textColumn("ocaid"),
    textColumn("physical_format"),
    numberColumn("number_of_pages"),
    textsColumn("series"),
    textsColumn("subjects"),
    textsColumn("dewey_decimal_class"),
    textsColumn("lc_classifications"),
    textsColumn("source_records"),
    numbersColumn("covers"),
    ...ENVELOPE,
  ],
  works: [
    KEY,
    textColumn("title"),
    textColumn("subtitle"),
    AUTHORS,
    textColumn("first_publish_date"),
    yearColumn("first_publish_year", "first_publish_date"),
    textColumn("description"),
    textsColumn("subjects"),
    textsColumn("subject_places"),
    textsColumn("subject_people"),
    textsColumn("subject_times"),
    numbersColumn("covers"),
    ...ENVELOPE,
  ],
  authors: [
    KEY,
    textColumn("name"),
    textColumn("personal_name"),
    textsColumn("alternate_names"),
    textColumn("birth_date"),
    yearColumn("birth_year", "birth_date"),
    textColumn("death_date"),
    yearColumn("death_year", "death_date"),
    textColumn("bio"),
    remoteIdColumn("wikidata"),
    remoteIdColumn("viaf"),
    remoteIdColumn("isni"),
    numbersColumn("photos"),
    ...ENVELOPE,
  ],
} as const satisfies Record<string, readonly Column[]>;
export type TableName = keyof typeof TABLES;

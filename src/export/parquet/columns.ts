import { canonicalIsbn, toIsbn13 } from "../../catalog/identifiers/isbn.ts";
import {
  type CatalogRecord,
  type Json,
  authorKeys,
  elementsOf,
  isObject,
  keysOf,
  stringsOf,
  textOf,
} from "../../catalog/record.ts";
import { languagesOf, yearOf } from "../../search/documents/values.ts";

/** Parsed line of a dump. */
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

const text = (name: string): Column => ({ name, type: "text", of: ({ record }) => textOf(record[name]) });
const texts = (name: string): Column => ({
  name,
  type: "texts",
  of: ({ record }) => stringsOf(record[name]),
});
const keys = (name: string): Column => ({ name, type: "texts", of: ({ record }) => keysOf(record[name]) });

const INT32 = 2 ** 31;
const isInt32 = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= -INT32 && value < INT32;

function number(name: string): Column {
  const of = ({ record }: DumpedRecord) => (isInt32(record[name]) ? record[name] : undefined);
  return { name, type: "number", of };
}

function numbers(name: string): Column {
  return { name, type: "numbers", of: ({ record }) => elementsOf(record[name]).filter(isInt32) };
}

function year(name: string, member: string): Column {
  return { name, type: "number", of: ({ record }) => yearOf(textOf(record[member]) ?? "") };
}

function remote(name: string): Column {
  const of = ({ record }: DumpedRecord) =>
    isObject(record["remote_ids"]) ? textOf(record["remote_ids"][name]) : undefined;
  return { name, type: "text", of };
}

const AUTHORS: Column = {
  name: "authors",
  type: "texts",
  of: ({ record }) => authorKeys(record["authors"]),
};
const LANGUAGES: Column = { name: "languages", type: "texts", of: ({ record }) => languagesOf(record) };
/** Column of distinct ISBNs, with 13 digits if possible. */
const ISBN: Column = {
  name: "isbn",
  type: "texts",
  of: ({ record }) => {
    const isbns = [...stringsOf(record["isbn_13"]), ...stringsOf(record["isbn_10"])];
    return [...new Set(isbns.flatMap((isbn) => toIsbn13(isbn) ?? canonicalIsbn(isbn) ?? []))];
  },
};

/** Returns a column for a time with six fraction digits; a JavaScript date only keeps three. */
function time(name: string): Column {
  return { name, type: "time", of: ({ record }) => microseconds(textOf(record[name])) };
}

function microseconds(moment: string | undefined): bigint | undefined {
  if (moment === undefined) return undefined;
  const milliseconds = Date.parse(`${moment.slice(0, 19)}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1000n + BigInt(/^\.(\d{6})$/.exec(moment.slice(19))?.[1] ?? 0);
}

const KEY: Column = { name: "key", type: "text", of: ({ key }) => key };
const ENVELOPE: readonly Column[] = [
  number("revision"),
  time("created"),
  time("last_modified"),
  { name: "json", type: "text", of: ({ json }) => json },
];

/** Columns of each table, in order. All other data is in `json`. */
export const TABLES = {
  editions: [
    KEY,
    text("title"),
    text("subtitle"),
    keys("works"),
    AUTHORS,
    texts("publishers"),
    texts("publish_places"),
    text("publish_date"),
    year("publish_year", "publish_date"),
    LANGUAGES,
    ISBN,
    texts("lccn"),
    texts("oclc_numbers"),
    text("ocaid"),
    text("physical_format"),
    number("number_of_pages"),
    texts("series"),
    texts("subjects"),
    texts("dewey_decimal_class"),
    texts("lc_classifications"),
    texts("source_records"),
    numbers("covers"),
    ...ENVELOPE,
  ],
  works: [
    KEY,
    text("title"),
    text("subtitle"),
    AUTHORS,
    text("first_publish_date"),
    year("first_publish_year", "first_publish_date"),
    text("description"),
    texts("subjects"),
    texts("subject_places"),
    texts("subject_people"),
    texts("subject_times"),
    numbers("covers"),
    ...ENVELOPE,
  ],
  authors: [
    KEY,
    text("name"),
    text("personal_name"),
    texts("alternate_names"),
    text("birth_date"),
    year("birth_year", "birth_date"),
    text("death_date"),
    year("death_year", "death_date"),
    text("bio"),
    remote("wikidata"),
    remote("viaf"),
    remote("isni"),
    numbers("photos"),
    ...ENVELOPE,
  ],
} as const satisfies Record<string, readonly Column[]>;
export type TableName = keyof typeof TABLES;

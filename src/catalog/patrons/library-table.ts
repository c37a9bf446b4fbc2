import { hasControl, withoutControls } from "../storable-text.ts";
import { parseIsbn } from "../identifiers/isbn.ts";
import { type CatalogRecord, type Json, isObject, objectsOf, stringsOf } from "../record.ts";
import { parseCsv } from "./csv.ts";
import { type LibraryFormat, KNOWN_NAMES, columnNameOf } from "./library-columns.ts";
import { isStatus } from "./library-status.ts";

/** Rows and columns of one file at most. */
export const IMPORT_BOOKS_MAX = 20_000;

export type LibraryProblem = "empty" | "no-columns" | "no-text" | "too-many";

/** Beginning of a PDF or GIF. Other pictures and spreadsheets begin with control characters. */
const NO_TEXT = /^(?:%PDF-|GIF8)/;
const HEAD_LENGTH = 1000;

export interface LibraryTable {
  readonly columns: readonly string[];
  readonly readRows: () => Iterable<readonly string[]>;
  /** Undefined: by the names of the columns. */
  readonly format?: LibraryFormat;
}

/** Reads a table from CSV, TSV or JSON, or from a list of ISBNs or titles. Its rows are read one at a time. */
export function readTable(text: string): LibraryTable | LibraryProblem {
  const start = text.trimStart();
  if (start === "") return "empty";
  const head = start.slice(0, HEAD_LENGTH);
  if (NO_TEXT.test(head) || hasControl(head)) return "no-text";
  if (start.startsWith("<")) return "no-columns";
  if (start.startsWith("[") || start.startsWith("{")) {
    const records = recordsOf(start);
    if (records !== undefined) return tableOfRecords(records);
  }
  const [columns = []] = parseCsv(text);
  const names = columns.map((name) => name.trim());
  if (isHeader(names, text)) return { columns: names, readRows: () => csvRows(text) };
  return { columns: ["Title", "Author", "ISBN"], readRows: () => listRows(text), format: "list" };
}

function* csvRows(text: string): Generator<string[]> {
  const lines = parseCsv(text);
  lines.next();
  yield* lines;
}

/** Columns that a table has at least if none of their names is known: titles in a list have commas, too. */
const UNKNOWN_COLUMNS_MIN = 3;

function isHeader(columns: readonly string[], text: string): boolean {
  if (columns.some((name) => parseIsbn(name) !== undefined)) return false;
  if (columns.some((name) => KNOWN_NAMES.has(columnNameOf(name)))) return true;
  const [, second] = parseCsv(text);
  return columns.length >= UNKNOWN_COLUMNS_MIN && second?.length === columns.length;
}

/** Parses the books of a JSON file: an array of objects, or an object with such an array. */
function recordsOf(text: string): Record<string, Json | undefined>[] | undefined {
  try {
    // Any JSON text parses to JSON.
    const value = JSON.parse(text) as Json;
    const arrays = Array.isArray(value) ? [value] : isObject(value) ? Object.values(value) : [];
    const books = arrays.find((member) => Array.isArray(member));
    return Array.isArray(books) ? books.filter((book) => isObject(book)) : undefined;
  } catch {
    return undefined;
  }
}

function tableOfRecords(records: readonly Record<string, Json | undefined>[]): LibraryTable {
  const first = records.slice(0, IMPORT_BOOKS_MAX);
  if (first.some(({ seen_history: seen }) => Array.isArray(seen))) {
    // One more than a file may have, which then is refused.
    return { ...tableOfRecords(records.slice(0, IMPORT_BOOKS_MAX + 1).map(toPlainBook)), format: "ryot" };
  }
  const columns = [...new Set(first.flatMap((record) => Object.keys(record)))];
  return { columns, readRows: () => recordRows(records, columns) };
}

/** Converts an item of Ryot, whose readings, reviews and collections are objects. Its ratings are percentages. */
function toPlainBook(item: CatalogRecord): CatalogRecord {
  const { lot, source, identifier, source_id: title } = item;
  const [review] = objectsOf(item["reviews"]);
  const names = [
    ...stringsOf(item["collections"]),
    ...objectsOf(item["collections"]).flatMap(({ collection_name: name }) => stringsOf(name)),
  ];
  const text = review?.["review"];
  return {
    lot: lot ?? null,
    title: title ?? null,
    olid: source === "openlibrary" ? (identifier ?? null) : null,
    status: names.find(isStatus) ?? null,
    collections: names.filter((name) => !isStatus(name)),
    rating: Number(review?.["rating"] ?? 0) / RYOT_POINTS_PER_STAR,
    review: isObject(text) ? (text["text"] ?? null) : null,
    readings: objectsOf(item["seen_history"]).map((seen) =>
      [seen["started_on"], seen["ended_on"]].map((date) => date ?? "").join("|"),
    ),
  };
}

const RYOT_POINTS_PER_STAR = 20;

/** Yields the rows of objects. One at a time: a file that is refused may have many objects or members. */
function* recordRows(
  records: readonly Record<string, Json | undefined>[],
  columns: readonly string[],
): Generator<string[]> {
  for (const record of records) {
    yield columns.map((name) => {
      const value = record[name];
      const texts = (Array.isArray(value) ? value : [value]).map((cell) =>
        cell === null || typeof cell === "object" ? "" : withoutControls(String(cell ?? "").toWellFormed()),
      );
      return texts.filter((text) => text !== "").join(" | ");
    });
  }
}

/** Separator of title and author. */
const BY = / by |(?<!\s)\s+[/–—-]\s+|\t/i;

/** Yields the rows of a list: an ISBN, or a title that an author may follow. */
function* listRows(text: string): Generator<string[]> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    // This removes a byte order mark, too.
    const entry = line.trim();
    if (entry === "") continue;
    const isbns = entry.split(/[,;\t]/).flatMap((part) => parseIsbn(part) ?? []);
    for (const isbn of isbns) yield ["", "", isbn];
    if (isbns.length > 0) continue;
    const by = BY.exec(entry);
    if (by === null) yield [entry, "", ""];
    else yield [entry.slice(0, by.index), entry.slice(by.index + by[0].length), ""];
  }
}

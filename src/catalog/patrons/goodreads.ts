import { toCanonicalIsbn } from "../identifiers/isbn.ts";
import { parseCsv } from "./csv.ts";
import type { ShelfId } from "./shelves.ts";

/** Rows and columns of one file, and characters of an imported note, at most; longer notes are cut. */
export const IMPORT_BOOKS_MAX = 20_000;
export const IMPORT_COLUMNS_MAX = 100;
export const IMPORT_NOTE_LENGTH = 60_000;
/** Maximum length in characters of a displayed title or name. */
const DISPLAY_LENGTH = 300;

/** Row of the file by the names in its first line. `ISBN` and `ISBN13` are without the signs around them. */
export type GoodreadsBook = Readonly<Record<string, string>>;

/** Books of a file: those with an ISBN, each number once, and the others. */
export interface GoodreadsFile {
  readonly books: readonly GoodreadsBook[];
  readonly withoutIsbn: readonly GoodreadsBook[];
}

export type GoodreadsProblem = "empty" | "no-columns" | "too-many";

const SHELVES: Readonly<Record<string, ShelfId>> = { "to-read": 1, "currently-reading": 2, read: 3 };

/** Reads an export of Goodreads. The last row of a number counts, because the file lists the newest book first. */
export function readGoodreads(text: string): GoodreadsFile | GoodreadsProblem {
  const rows = parseCsv(text);
  const header = rows.next();
  if (header.done === true) return "empty";
  const names = header.value.map((name) => name.trim());
  const isKnown = names.includes("Book Id") || names.includes("ISBN");
  if (!isKnown || names.length > IMPORT_COLUMNS_MAX) return "no-columns";
  const books = new Map<string, GoodreadsBook>();
  const others = new Map<string, GoodreadsBook>();
  let rowCount = 0;
  for (const row of rows) {
    // All rows count, also several of one book: reading them is the cost.
    if ((rowCount += 1) > IMPORT_BOOKS_MAX) return "too-many";
    const book = bookOf(names, row);
    const isbn = book["ISBN"] ?? "";
    if (isbn === "") others.set(book["Book Id"] ?? String(others.size), book);
    else books.set(isbn, book);
  }
  return { books: [...books.values()], withoutIsbn: [...others.values()] };
}

function bookOf(names: readonly string[], row: readonly string[]): GoodreadsBook {
  const book = Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""]));
  const isbn13 = stripFormula(book["ISBN13"]);
  const isbn = stripFormula(book["ISBN"]);
  return { ...book, ISBN: isbn === "" ? isbn13 : isbn, ISBN13: isbn13 };
}

/** Removes the formula around a number, `="0451526538"`, which keeps spreadsheets from changing it. */
function stripFormula(text = ""): string {
  return text.replaceAll(/["=]/g, "").trim();
}

export function toImportRows({ books, withoutIsbn }: GoodreadsFile): ImportRow[] {
  return [...books, ...withoutIsbn].map((book) => ({
    title: (book["Title"] ?? "").slice(0, DISPLAY_LENGTH),
    author: (book["Author"] ?? "").slice(0, DISPLAY_LENGTH),
    isbn: toCanonicalIsbn(book["ISBN"] ?? "") ?? null,
    shelf: SHELVES[(book["Exclusive Shelf"] ?? "").trim()] ?? null,
    stars: starsOf(book["My Rating"]),
    finished: dateOf(book["Date Read"]),
    note: noteOf(book),
  }));
}

function starsOf(text = ""): number | null {
  const stars = Number(text.trim());
  return Number.isInteger(stars) && stars >= 1 && stars <= 5 ? stars : null;
}

/** Converts `2024/03/07` to `2024-03-07`; a month or a year alone stays so. Null if the text is not a date. */
function dateOf(text = ""): string | null {
  const [, year, month, day] = /^(\d{4})(?:[/-](\d{1,2})(?:[/-](\d{1,2}))?)?$/.exec(text.trim()) ?? [];
  if (year === undefined || Number(year) === 0) return null;
  const parts = [month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, "0"));
  const date = [year, ...parts].join("-");
  const firstDay = `${date}-01-01`.slice(0, "YYYY-MM-DD".length);
  const time = Date.parse(`${firstDay}T00:00:00Z`);
  const isDate = !Number.isNaN(time) && new Date(time).toISOString().startsWith(firstDay);
  return isDate ? date : null;
}

function noteOf(book: GoodreadsBook): string {
  const texts = [book["My Review"], book["Private Notes"]].map((text = "") => stripHtml(text));
  return texts
    .filter((text) => text !== "")
    .join("\n\n")
    .slice(0, IMPORT_NOTE_LENGTH);
}

/** Removes the HTML of reviews, which use a few elements. */
function stripHtml(text: string): string {
  return text
    .replaceAll(/<br\s*\/?>/gi, "\n")
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .trim();
}

export interface ImportRow {
  readonly title: string;
  readonly author: string;
  /** Bare ISBN; null if the row has none. */
  readonly isbn: string | null;
  /** Null: a shelf that Carrel does not have. */
  readonly shelf: ShelfId | null;
  /** 1 to 5; null if it is not rated. */
  readonly stars: number | null;
  /** Day it was finished: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly finished: string | null;
  /** The patron's text about it; "" if there is none. */
  readonly note: string;
}

export type ImportProblem = "no-isbn" | "not-found" | "unknown-shelf";

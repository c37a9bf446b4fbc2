import { withoutControls } from "../storable-text.ts";
import { toCanonicalIsbn, parseIsbn } from "../identifiers/isbn.ts";
import { type Json, isObject } from "../record.ts";
import { parseCsv, removeGuard } from "./csv.ts";
import {
  type ColumnRole,
  type ImportRow,
  type RowOptions,
  type RowTexts,
  COLUMN_ROLES,
  IMPORT_LISTS_MAX,
  hasPartStars,
  toImportRow,
} from "./library-rows.ts";

/** Rows and columns of one file at most. */
export const IMPORT_BOOKS_MAX = 20_000;
export const IMPORT_COLUMNS_MAX = 100;

/** Names of columns by role (Q710), in lower case with one underscore for signs; of several columns, the first ones first. */
const COLUMN_NAMES: Readonly<Record<ColumnRole, string>> = {
  title: "title book_title",
  author: "author authors author_s author_text primary_author author_name creator",
  isbn: "isbn isbn10 isbn_10 isbn13 isbn_13 isbn_uid isbns ean",
  shelf: "exclusive_shelf read_status bookshelf shelf_name shelf reading_status",
  lists: "lists",
  tags: "bookshelves collections tags",
  rating: "my_rating my_ratings star_rating rating stars",
  started: "date_started start_date started",
  finished: "date_read last_date_read finish_date date_finished finished",
  readings: "dates_read readings",
  review: "my_review review review_content",
  note: "private_notes private_note private_comment notes note comment",
  owned: "owned_copies owned",
  work: "work_id",
  edition: "edition_id openlibrary_key",
  mood: "moods",
  pace: "pace",
  observations: "observations",
};

/** Column that only the exports of one service have. */
const FORMATS = {
  carrel: "work_id",
  bookwyrm: "author_text",
  librarything: "primary_author",
  storygraph: "read_status",
  goodreads: "exclusive_shelf",
} as const;
export type LibraryFormat = keyof typeof FORMATS | "table" | "list";

export type LibraryProblem = "empty" | "no-columns" | "too-many";

/** Names of the columns chosen by hand; "" for none. */
export type ChosenColumns = Partial<Readonly<Record<ColumnRole, string>>>;

export interface LibraryOptions {
  readonly columns?: ChosenColumns;
  /** Undefined: of a file without shelves, all books are wanted. */
  readonly shelf?: RowOptions["shelf"] | undefined;
  readonly makesLists?: boolean;
}

export interface LibraryBook {
  readonly cells: readonly string[];
  readonly row: ImportRow;
}

/** Books of a file: those with an ISBN, each number once, then the others. */
export interface LibraryFile {
  readonly format: LibraryFormat;
  readonly columns: readonly string[];
  readonly roles: Readonly<Record<ColumnRole, readonly string[]>>;
  readonly shelf: RowOptions["shelf"];
  readonly books: readonly LibraryBook[];
  /** Names of lists, those of most books first. */
  readonly lists: readonly string[];
  /** Books whose rating is not of whole stars. */
  readonly rounded: number;
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly string[]>;
  readonly isList: boolean;
}

/**
 * Reads a reader's library from an export of another service or of Carrel, as CSV, TSV or JSON, or from a list of ISBNs or
 * titles, one a line. The last row of an ISBN counts, because Goodreads lists the newest book first.
 */
export function readLibrary(text: string, options: LibraryOptions = {}): LibraryFile | LibraryProblem {
  const table = readTable(text);
  if (typeof table === "string") return table;
  const { columns, rows, isList } = table;
  const roles = rolesOf(columns, options.columns);
  if (columns.length > IMPORT_COLUMNS_MAX || !isIdentifying(roles)) return "no-columns";
  const format = isList ? "list" : formatOf(columns);
  const hasShelves = roles.shelf.length > 0 || format === "librarything" || format === "carrel";
  const shelf = options.shelf === undefined ? (hasShelves ? null : 1) : options.shelf;
  const places = COLUMN_ROLES.map(
    (role) => [role, roles[role].map((name) => columns.indexOf(name))] as const,
  );
  const books = new Map<string, LibraryBook>();
  const others: LibraryBook[] = [];
  let [rowCount, rounded] = [0, 0];
  for (const cells of rows) {
    // All rows count, also several of one book: reading them is the cost.
    if ((rowCount += 1) > IMPORT_BOOKS_MAX) return "too-many";
    const texts = textsOf(cells, places);
    if (hasPartStars(texts)) rounded += 1;
    const row = toImportRow(texts, { shelf, makesLists: options.makesLists ?? true });
    const book = { cells: cells.slice(0, columns.length), row };
    // Rows of works are not joined: a reader may have several editions of one.
    if (row.isbn === null || row.work !== null) others.push(book);
    else books.set(row.isbn, book);
  }
  if (rowCount === 0) return "empty";
  return {
    format,
    columns,
    roles,
    shelf,
    ...withLists([...books.values(), ...others]),
    rounded,
  };
}

/** Returns the names of a file's columns, to choose from; none if it is not a table. */
export function readColumns(text: string): readonly string[] {
  const table = readTable(text);
  return typeof table === "string" ? [] : table.columns.slice(0, IMPORT_COLUMNS_MAX);
}

function isIdentifying({ title, isbn, work, edition }: LibraryFile["roles"]): boolean {
  return [title, isbn, work, edition].some((names) => names.length > 0);
}

function readTable(text: string): Table | LibraryProblem {
  const start = text.trimStart();
  if (start === "") return "empty";
  if (start.startsWith("<")) return "no-columns";
  if (start.startsWith("[") || start.startsWith("{")) {
    const records = recordsOf(start);
    if (records !== undefined) return tableOfRecords(records);
  }
  const lines = parseCsv(text);
  const columns = (lines.next().value ?? []).map((name: string) => name.trim());
  if (isHeader(columns, text)) return { columns, rows: lines, isList: false };
  return { columns: ["Title", "Author", "ISBN"], rows: listRows(text), isList: true };
}

/** Columns that a table has at least if none of their names is known: titles in a list have commas, too. */
const UNKNOWN_COLUMNS_MIN = 3;

function isHeader(columns: readonly string[], text: string): boolean {
  if (columns.some((name) => parseIsbn(name) !== undefined)) return false;
  if (columns.some((name) => KNOWN_NAMES.has(nameOf(name)))) return true;
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

function tableOfRecords(records: readonly Record<string, Json | undefined>[]): Table {
  const columns = [...new Set(records.slice(0, IMPORT_BOOKS_MAX).flatMap((record) => Object.keys(record)))];
  return { columns, rows: recordRows(records, columns), isList: false };
}

/** Yields the rows of objects. One at a time: a file that is refused may have many objects or members. */
function* recordRows(
  records: readonly Record<string, Json | undefined>[],
  columns: readonly string[],
): Generator<string[]> {
  for (const record of records) {
    yield columns.map((name) => {
      const value = record[name];
      const texts = (Array.isArray(value) ? value : [value]).map(cellOf);
      return texts.filter((text) => text !== "").join(" | ");
    });
  }
}

function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined || typeof value === "object") return "";
  return withoutControls(String(value).toWellFormed());
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

function nameOf(column: string): string {
  return column
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

const KNOWN_NAMES = new Set(Object.values(COLUMN_NAMES).flatMap((names) => names.split(" ")));

function formatOf(columns: readonly string[]): LibraryFormat {
  const names = new Set(columns.map(nameOf));
  // Its entries are those of the constant.
  const formats = Object.entries(FORMATS) as [keyof typeof FORMATS, string][];
  return formats.find(([, column]) => names.has(column))?.[0] ?? "table";
}

function rolesOf(columns: readonly string[], chosen: ChosenColumns = {}): LibraryFile["roles"] {
  const byName = new Map(columns.map((column) => [nameOf(column), column]));
  const roles = COLUMN_ROLES.map((role) => {
    const column = chosen[role];
    if (column !== undefined) return [role, columns.includes(column) ? [column] : []];
    return [role, COLUMN_NAMES[role].split(" ").flatMap((name) => byName.get(name) ?? [])];
  });
  // The entries are those of all roles.
  const all = Object.fromEntries(roles) as LibraryFile["roles"];
  // Carrel's own export has its lists twice: by their names, and as shelves for other services.
  return all.lists.length > 0 ? { ...all, tags: [] } : all;
}

function textsOf(
  cells: readonly string[],
  places: readonly (readonly [ColumnRole, readonly number[]])[],
): RowTexts {
  const texts = places.map(([role, indexes]) => {
    return [role, indexes.map((index) => cleanCell(cells[index])).filter((text) => text !== "")];
  });
  // The entries are those of all roles.
  return Object.fromEntries(texts) as RowTexts;
}

/** Removes guards against spreadsheets, as in `="0451526538"` and `'=title` (Q234), and brackets of LibraryThing. */
function cleanCell(text = ""): string {
  return removeGuard(text.trim().replace(/^="(.*)"$/, "$1"))
    .trim()
    .replace(/^\[([\dX]*)\]$/, "$1");
}

/** Returns the cells of a book by column. `ISBN` and `ISBN13` are without the signs around them. */
export function toBookRecord(
  { columns, roles }: Pick<LibraryFile, "columns" | "roles">,
  { cells }: LibraryBook,
): Record<string, string> {
  const record = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""]));
  const isbns = roles.isbn.map((name) => cleanCell(record[name])).filter((text) => toCanonicalIsbn(text));
  const isbn13 = isbns.find((text) => text.length > 10) ?? "";
  return { ...record, ISBN: isbns[0] ?? "", ISBN13: isbn13 };
}

/** Keeps the lists that most books are in, `IMPORT_LISTS_MAX` of them. */
function withLists(books: readonly LibraryBook[]): Pick<LibraryFile, "books" | "lists"> {
  const counts = new Map<string, number>();
  for (const { row } of books) {
    for (const name of row.lists) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const lists = names.slice(0, IMPORT_LISTS_MAX);
  if (lists.length === names.length) return { books, lists };
  const isKept = new Set(lists);
  return {
    books: books.map((book) => {
      const kept = book.row.lists.filter((name) => isKept.has(name));
      return { ...book, row: { ...book.row, lists: kept } };
    }),
    lists,
  };
}

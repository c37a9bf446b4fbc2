import { toCanonicalIsbn } from "../identifiers/isbn.ts";
import { removeGuard } from "./csv.ts";
import {
  type ChosenColumns,
  type ColumnsByRole,
  type LibraryFormat,
  findFormat,
  findRoles,
  skippedRows,
} from "./library-columns.ts";
import {
  type ColumnRole,
  type ImportRow,
  type RowOptions,
  type RowTexts,
  COLUMN_ROLES,
  IMPORT_LISTS_MAX,
  hasPartStars,
  toImportRow,
  unknownStatusIn,
} from "./library-rows.ts";
import { type LibraryProblem, IMPORT_BOOKS_MAX, readTable } from "./library-table.ts";

/** Columns of one file at most. */
export const IMPORT_COLUMNS_MAX = 100;

export interface LibraryOptions {
  readonly columns?: ChosenColumns;
  /** Undefined: of a file without shelves, all books are wanted. */
  readonly shelf?: RowOptions["shelf"] | undefined;
  readonly makesLists?: boolean;
}

/** Number and length, in characters, of the unknown statuses that are listed: any column can be taken for one. */
const UNKNOWN_STATUSES_MAX = 20;
const STATUS_LENGTH_MAX = 100;
const OTHER_STATUSES = "…";

export interface LibraryBook {
  readonly cells: readonly string[];
  readonly row: ImportRow;
}

/** Books of a file: those with an ISBN, each number once, then the others. */
export interface LibraryFile {
  readonly format: LibraryFormat;
  readonly columns: readonly string[];
  readonly roles: ColumnsByRole;
  readonly shelf: RowOptions["shelf"];
  readonly books: readonly LibraryBook[];
  /** Names of lists, those of most books first. */
  readonly lists: readonly string[];
  /** Books whose rating is not of whole stars. */
  readonly rounded: number;
  /** Texts of the status that are not understood, with their numbers of books; `…` for those after the first 20. Q870: such books get no shelf by guess. */
  readonly unknownStatuses: Readonly<Record<string, number>>;
}

/**
 * Reads a reader's library from an export of another service or of Carrel, as CSV, TSV or JSON, or from a list of ISBNs or
 * titles, one a line. The last row of an ISBN counts, because Goodreads lists the newest book first.
 */
export function readLibrary(text: string, options: LibraryOptions = {}): LibraryFile | LibraryProblem {
  const table = readTable(text);
  if (typeof table === "string") return table;
  const { columns, readRows } = table;
  if (columns.length > IMPORT_COLUMNS_MAX) return "no-columns";
  const format = table.format ?? findFormat(columns);
  const roles = findRoles(table, options.columns);
  if ([roles.title, roles.isbn, roles.work, roles.edition].flat().length === 0) return "no-columns";
  const hasShelves =
    [...roles.shelf, ...roles.status].length > 0 || format === "librarything" || format === "carrel";
  const shelf = options.shelf === undefined ? (hasShelves ? null : 1) : options.shelf;
  const places = COLUMN_ROLES.map(
    (role) => [role, roles[role].map((name) => columns.indexOf(name))] as const,
  );
  const books = new Map<string, LibraryBook>();
  const others: LibraryBook[] = [];
  const unknownStatuses: Record<string, number> = Object.create(null);
  const isSkipped = skippedRows(columns);
  let [rowCount, rounded] = [0, 0];
  for (const cells of readRows()) {
    // All rows count, also several of one book: reading them is the cost.
    if ((rowCount += 1) > IMPORT_BOOKS_MAX) return "too-many";
    if (isSkipped(cells)) continue;
    const texts = textsOf(cells, places);
    if (hasPartStars(texts)) rounded += 1;
    const status = unknownStatusIn(texts);
    if (status !== undefined) {
      const cut = status.slice(0, STATUS_LENGTH_MAX);
      const isListed = cut in unknownStatuses || Object.keys(unknownStatuses).length < UNKNOWN_STATUSES_MAX;
      const name = isListed ? cut : OTHER_STATUSES;
      unknownStatuses[name] = (unknownStatuses[name] ?? 0) + 1;
    }
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
    unknownStatuses,
  };
}

/** Returns the names of a file's columns, to choose from; none if it is not a table. */
export function readColumns(text: string): readonly string[] {
  const table = readTable(text);
  return typeof table === "string" ? [] : table.columns.slice(0, IMPORT_COLUMNS_MAX);
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

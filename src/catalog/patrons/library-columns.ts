import { type ColumnRole, COLUMN_ROLES } from "./library-rows.ts";
import { isStatus } from "./library-status.ts";

/** Names of columns by role (Q710), in lower case with one underscore for signs; of several columns, the first ones first. */
const COLUMN_NAMES: Readonly<Record<ColumnRole, string>> = {
  title: "title book_title",
  author: "author authors author_s author_text primary_author author_name creator creators",
  isbn: "isbn isbn10 isbn_10 isbn13 isbn_13 isbn_uid isbns ean ean_isbn13 upc_isbn10 identifiers",
  status:
    "read_status reading_status status state reading_state progress_status read is_read " +
    "lesestatus gelesen estado leído leido statut état etat lu",
  shelf: "exclusive_shelf bookshelf shelf_name shelf",
  lists: "lists",
  tags: "bookshelves collections tags",
  rating: "my_rating my_ratings star_rating rating stars",
  started: "date_started start_date started began",
  finished:
    "date_read last_date_read finish_date date_finished finished completed end_date read gelesen leído leido lu",
  readings: "dates_read readings",
  review: "my_review review review_content",
  note: "private_notes private_note private_comment notes note comment",
  pages: "pages_read current_page",
  owned: "owned_copies owned",
  work: "work_id olid",
  edition: "edition_id openlibrary_key olid",
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
  hardcover: "hardcover_book_id",
  openreads: "olid",
  libib: "ean_isbn13",
  calibre: "author_sort",
} as const;
export type LibraryFormat = keyof typeof FORMATS | "ryot" | "table" | "list";

/** Columns of the kind of an item, and the kinds that are books: other rows are skipped. */
const KIND_COLUMNS = new Set(["item_type", "lot"]);
const BOOK_KIND = /book/i;
const DELETED = /^(?:true|yes|1)$/i;

/** Columns of a file by role. */
export type ColumnsByRole = Readonly<Record<ColumnRole, readonly string[]>>;

/** Names of the columns chosen by hand; "" for none. */
export type ChosenColumns = Partial<Readonly<Record<ColumnRole, string>>>;

export function columnNameOf(column: string): string {
  return column
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

/** All names of columns that are known. */
export const KNOWN_NAMES = new Set(Object.values(COLUMN_NAMES).flatMap((names) => names.split(" ")));

export function findFormat(columns: readonly string[]): LibraryFormat {
  const names = new Set(columns.map(columnNameOf));
  // Its entries are those of the constant.
  const formats = Object.entries(FORMATS) as [keyof typeof FORMATS, string][];
  return formats.find(([, column]) => names.has(column))?.[0] ?? "table";
}

/** Returns the columns of each role. */
export function findRoles(
  {
    columns,
    readRows,
  }: { readonly columns: readonly string[]; readonly readRows: () => Iterable<readonly string[]> },
  chosen: ChosenColumns = {},
): ColumnsByRole {
  const byName = new Map(columns.map((column) => [columnNameOf(column), column]));
  const roles = COLUMN_ROLES.map((role) => {
    const column = chosen[role];
    const known = COLUMN_NAMES[role].split(" ").flatMap((name) => byName.get(name) ?? []);
    // A form names one column of a role: if it is the first known one, nothing was changed, and all of them count.
    if (column === undefined || column === known[0]) return [role, known];
    return [role, columns.includes(column) ? [column] : []];
  });
  // The entries are those of all roles.
  const all = Object.fromEntries(roles) as ColumnsByRole;
  const isGuessed = chosen.status === undefined && [...all.status, ...all.shelf].length === 0;
  const status = isGuessed ? findStatusColumn(columns, all, readRows()) : all.status;
  // Carrel's own export has its lists twice: by their names, and as shelves for other services.
  return { ...all, status, ...(all.lists.length > 0 && { tags: [] }) };
}

/** Rows whose values tell that a column is a status. */
const STATUS_ROWS = 1000;

/** Finds a column without a known name whose values are all names of a status. */
function findStatusColumn(
  columns: readonly string[],
  roles: ColumnsByRole,
  rows: Iterable<readonly string[]>,
): string[] {
  const named = new Set(Object.values(roles).flat());
  const states = columns.map((name) => ({ name, isStatus: !named.has(name), count: 0 }));
  let count = 0;
  for (const cells of rows) {
    if ((count += 1) > STATUS_ROWS) break;
    for (const [at, state] of states.entries()) {
      const text = (cells[at] ?? "").trim();
      if (text === "" || !state.isStatus) continue;
      state.isStatus = isStatus(text);
      state.count += 1;
    }
  }
  const found = states.find((state) => state.isStatus && state.count > 0);
  return found === undefined ? [] : [found.name];
}

/** Returns a test for rows that are no books of the reader: other media, and books in the trash. */
export function skippedRows(columns: readonly string[]): (cells: readonly string[]) => boolean {
  const names = columns.map(columnNameOf);
  const kind = names.findIndex((name) => KIND_COLUMNS.has(name));
  const deleted = names.indexOf("deleted");
  return (cells) => (kind !== -1 && !BOOK_KIND.test(cells[kind] ?? "")) || DELETED.test(cells[deleted] ?? "");
}

import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { type Database, rows } from "../statement.ts";

/** Maximum number of rows read per page. As not all of them belong to the dump, a page may have fewer, or none. */
const DUMP_ROWS_MAX = 10_000;

/** Position of a page: after a row of work and patron. It is internal and never written to a file. */
export interface DumpPlace {
  readonly work: number;
  readonly patron: string;
}

export const DUMP_START: DumpPlace = { work: 0, patron: "" };

/** Query for a page of a dump: rows created before `until` (milliseconds since the epoch). */
export interface DumpWish {
  readonly after: DumpPlace;
  readonly until: number;
  readonly limit: number;
}

interface PublishedRow {
  readonly work: number;
  readonly edition: number | null;
  readonly date: string;
}

type LoggedRow = PublishedRow & { readonly shelf: ShelfId };
type RatedRow = PublishedRow & { readonly stars: number };

/** Page of a dump. `next` is null for the last one. */
export interface DumpPage<Row> {
  readonly rows: readonly Row[];
  readonly next: DumpPlace | null;
}

/**
 * Reads a page of all shelves for publication, ordered by work: rows of one patron must not be adjacent, because that
 * would reveal what the patron has read.
 */
export async function readLoggedRows(patrons: Database, request: DumpWish): Promise<DumpPage<LoggedRow>> {
  return readPage(patrons, request, {
    columns: "edition_id AS edition, shelf, date(logged / 1000, 'unixepoch') AS date",
    isDumped: "shelf IS NOT NULL AND logged < ?3",
    rowOf: ({ work, edition, shelf, date }: LoggedRow) => ({ work, edition, shelf, date }),
  });
}

/** Reads a page of all ratings for publication, ordered by work. */
export async function readRatedRows(patrons: Database, request: DumpWish): Promise<DumpPage<RatedRow>> {
  return readPage(patrons, request, {
    columns: "rated_edition_id AS edition, stars, date(rated / 1000, 'unixepoch') AS date",
    isDumped: "stars IS NOT NULL AND rated < ?3",
    rowOf: ({ work, edition, stars, date }: RatedRow) => ({ work, edition, stars, date }),
  });
}

interface DumpKind<Row> {
  readonly columns: string;
  readonly isDumped: string;
  rowOf(row: Row): Row;
}

async function readPage<Row extends PublishedRow>(
  patrons: Database,
  { after, until, limit }: DumpWish,
  { columns, isDumped, rowOf }: DumpKind<Row>,
): Promise<DumpPage<Row>> {
  const most = Math.min(limit, DUMP_ROWS_MAX);
  // The limit counts all rows, not those for the dump: of very many hardly any may have stars.
  const page = await rows<Row & { readonly patron: string; readonly isDumped: number | null }>(patrons, {
    sql: `SELECT work_id AS work, patron, ${columns}, ${isDumped} AS isDumped
          FROM patron_work INDEXED BY patron_work_by_work
          WHERE (work_id, patron) > (?1, ?2) ORDER BY work_id, patron LIMIT ?4`,
    values: [after.work, after.patron, until, most],
  });
  const last = page.at(-1);
  const next = last === undefined || page.length < most ? null : { work: last.work, patron: last.patron };
  return { rows: page.filter((row) => row.isDumped === 1).map(rowOf), next };
}

import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { type Database, rows } from "../statement.ts";

/** Rows that one page looks at, whether or not they are for the dump: it may have fewer, or none. */
const DUMP_ROWS_MAX = 10_000;

/** Where a page begins: after a work's row of a patron. The place is the service's own and stands in no file. */
export interface DumpPlace {
  readonly work: number;
  readonly patron: string;
}

/** Before all rows. */
export const DUMP_START: DumpPlace = { work: 0, patron: "" };

/** What is asked of a dump: rows that were made before `until` (milliseconds since the epoch). */
export interface DumpWish {
  readonly after: DumpPlace;
  readonly until: number;
  readonly limit: number;
}

/** What rows of both have: nobody's name, and the day alone. */
interface PublishedRow {
  readonly work: number;
  readonly edition: number | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

type LoggedRow = PublishedRow & { readonly shelf: ShelfId };
type RatedRow = PublishedRow & { readonly stars: number };

/** A page of a dump; `next` is null after the last one. */
export interface DumpPage<Row> {
  readonly rows: readonly Row[];
  readonly next: DumpPlace | null;
}

/**
 * A page of all shelves, for publication: by work, so that rows of one patron do not stand together, which
 * would tell what he has read.
 */
export async function readLoggedRows(patrons: Database, wish: DumpWish): Promise<DumpPage<LoggedRow>> {
  return readPage(patrons, wish, {
    columns: "edition_id AS edition, shelf, date(logged / 1000, 'unixepoch') AS date",
    isDumped: "shelf IS NOT NULL AND logged < ?3",
    rowOf: ({ work, edition, shelf, date }: LoggedRow) => ({ work, edition, shelf, date }),
  });
}

/** A page of all ratings, for publication, in the same order. */
export async function readRatedRows(patrons: Database, wish: DumpWish): Promise<DumpPage<RatedRow>> {
  return readPage(patrons, wish, {
    columns: "rated_edition_id AS edition, stars, date(rated / 1000, 'unixepoch') AS date",
    isDumped: "stars IS NOT NULL AND rated < ?3",
    rowOf: ({ work, edition, stars, date }: RatedRow) => ({ work, edition, stars, date }),
  });
}

interface DumpKind<Row> {
  readonly columns: string;
  /** A condition on a row. */
  readonly isDumped: string;
  rowOf(found: Row): Row;
}

async function readPage<Row extends PublishedRow>(
  patrons: Database,
  { after, until, limit }: DumpWish,
  { columns, isDumped, rowOf }: DumpKind<Row>,
): Promise<DumpPage<Row>> {
  const most = Math.min(limit, DUMP_ROWS_MAX);
  // All rows are counted, not those that are for the dump: of very many hardly any may have stars.
  const found = await rows<Row & { readonly patron: string; readonly isDumped: number | null }>(patrons, {
    sql: `SELECT work_id AS work, patron, ${columns}, ${isDumped} AS isDumped
          FROM patron_work INDEXED BY patron_work_by_work
          WHERE (work_id, patron) > (?1, ?2) ORDER BY work_id, patron LIMIT ?4`,
    values: [after.work, after.patron, until, most],
  });
  const last = found.at(-1);
  const next = last === undefined || found.length < most ? null : { work: last.work, patron: last.patron };
  return { rows: found.filter((row) => row.isDumped === 1).map(rowOf), next };
}

import { type Database, allValues, rows } from "../statement.ts";

/** Sources whose records may be staged: held back until somebody asks for the book. */
const STAGED_SOURCES = ["amazon", "idb", "google_books"] as const;

/** A row that holds the record of a book asked for. */
export interface StagedItem {
  readonly id: number;
  /** `<source>:<identifier>` */
  readonly iaId: string;
  /** JSON text of the record; null where there is none. */
  readonly data: string | null;
}

export const COLUMNS = "id, ia_id AS iaId, data";
export const WANTED = "ia_id IN (SELECT value FROM json_each(?1))";

/** Names under which records of a book may be staged, by its identifiers: ISBN-10, ISBN-13, ASIN. */
export function namesOf(identifiers: readonly string[]): string {
  return JSON.stringify(identifiers.flatMap((id) => STAGED_SOURCES.map((source) => `${source}:${id}`)));
}

/** The oldest row `staged` or `pending` that holds the record of a book. One statement. */
export async function firstStagedOrPending(
  database: Database,
  identifiers: readonly string[],
): Promise<StagedItem | undefined> {
  const sql = `SELECT ${COLUMNS} FROM import_item
               WHERE ${WANTED} AND status IN ('staged', 'pending') ORDER BY id LIMIT 1`;
  const [first] = await rows<StagedItem>(database, { sql, values: [namesOf(identifiers)] });
  return first;
}

/** Those of some lookups that nobody has answered yet, by their identifiers. One statement. */
export async function pendingLookups(
  database: Database,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const sql = `SELECT identifier FROM lookup
               WHERE identifier IN (SELECT value FROM json_each(?1)) AND status = 'pending'`;
  return new Set(await allValues<string>(database, { sql, values: [JSON.stringify(identifiers)] }));
}

import { type Database, allValues, firstRow } from "../statement.ts";
import type { ImportItem } from "./rows.ts";

/** Sources whose records may be staged: held back until somebody asks for the book. */
const STAGED_SOURCES = ["amazon", "idb", "google_books"] as const;

/** A row that holds the record of a book asked for: JSON text, null where there is none. */
export type StagedItem = Pick<ImportItem, "id" | "ia_id" | "data">;

/** The columns of a `StagedItem`; and which rows hold the record of a book, by `namesOf` its identifiers. */
export const STAGED = "id, ia_id, data";
export const IS_OF_BOOK = "ia_id IN (SELECT value FROM json_each(?1))";

/** Names under which records of a book may be staged, by its identifiers: ISBN-10, ISBN-13, ASIN. */
export function namesOf(identifiers: readonly string[]): string {
  return JSON.stringify(identifiers.flatMap((id) => STAGED_SOURCES.map((source) => `${source}:${id}`)));
}

/** The oldest row `staged` or `pending` that holds the record of a book. One statement. */
export async function firstStagedOrPending(
  database: Database,
  identifiers: readonly string[],
): Promise<StagedItem | undefined> {
  const sql = `SELECT ${STAGED} FROM import_item
               WHERE ${IS_OF_BOOK} AND status IN ('staged', 'pending') ORDER BY id LIMIT 1`;
  return firstRow<StagedItem>(database, { sql, values: [namesOf(identifiers)] });
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

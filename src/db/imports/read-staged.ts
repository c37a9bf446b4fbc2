import { type Database, allValues, firstRow } from "../statement.ts";
import type { ImportItem } from "./rows.ts";

/** Sources whose records can be staged, that is held back until a client requests the book. */
const STAGED_SOURCES = ["amazon", "idb", "google_books"] as const;

/** A row with the record of a requested book as JSON text, or null without one. */
export type StagedItem = Pick<ImportItem, "id" | "ia_id" | "data">;

/** Columns of a `StagedItem`. `IS_OF_BOOK` selects the rows of a book by the `namesOf` its identifiers. */
export const STAGED = "id, ia_id, data";
export const IS_OF_BOOK = "ia_id IN (SELECT value FROM json_each(?1))";

/**
 * Returns the names under which records of a book can be staged, as JSON. Identifiers are ISBN-10, ISBN-13 and ASIN.
 */
export function namesOf(identifiers: readonly string[]): string {
  return JSON.stringify(identifiers.flatMap((id) => STAGED_SOURCES.map((source) => `${source}:${id}`)));
}

/** Reads the oldest `staged` or `pending` row of a book. Returns undefined if there is none. One statement. */
export async function firstStagedOrPending(
  database: Database,
  identifiers: readonly string[],
): Promise<StagedItem | undefined> {
  const sql = `SELECT ${STAGED} FROM import_item
               WHERE ${IS_OF_BOOK} AND status IN ('staged', 'pending') ORDER BY id LIMIT 1`;
  return firstRow<StagedItem>(database, { sql, values: [namesOf(identifiers)] });
}

/** Returns the given lookup identifiers that are still pending. One statement. */
export async function pendingLookups(
  database: Database,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const sql = `SELECT identifier FROM lookup
               WHERE identifier IN (SELECT value FROM json_each(?1)) AND status = 'pending'`;
  return new Set(await allValues<string>(database, { sql, values: [JSON.stringify(identifiers)] }));
}

import { HOUR_MS } from "../../catalog/units.ts";
import { allValues, firstRow, rows, run, type Database } from "../statement.ts";
import type { ImportItem, LookupRow } from "./import-rows.ts";
import { convertIsbn10 } from "../../catalog/identifiers/isbn.ts";

/** Sources whose records can be staged, that is held back until a client requests the book. */
const STAGED_SOURCES = ["amazon", "idb", "google_books"] as const;

/** A row with the record of a requested book as JSON text, or null without one. */
export type StagedItem = Pick<ImportItem, "id" | "ia_id" | "data">;

/** Columns of a `StagedItem`. `IS_OF_BOOK` selects the rows of a book by the `stagedNamesOf` its identifiers. */
export const STAGED = "id, ia_id, data";
export const IS_OF_BOOK = "ia_id IN (SELECT value FROM json_each(?1))";

/**
 * Returns the names under which records of a book can be staged, as JSON. Identifiers are ISBN-10, ISBN-13 and ASIN.
 */
export function stagedNamesOf(identifiers: readonly string[]): string {
  return JSON.stringify(identifiers.flatMap((id) => STAGED_SOURCES.map((source) => `${source}:${id}`)));
}

export async function findStagedOrPending(
  database: Database,
  identifiers: readonly string[],
): Promise<StagedItem | undefined> {
  const sql = `SELECT ${STAGED} FROM import_item
               WHERE ${IS_OF_BOOK} AND status IN ('staged', 'pending') ORDER BY id LIMIT 1`;
  return firstRow<StagedItem>(database, { sql, values: [stagedNamesOf(identifiers)] });
}

/** Returns the given lookup identifiers that are still pending. One statement. */
export async function readPendingLookups(
  database: Database,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const sql = `SELECT identifier FROM lookup
               WHERE identifier IN (SELECT value FROM json_each(?1)) AND status = 'pending'`;
  return new Set(await allValues<string>(database, { sql, values: [JSON.stringify(identifiers)] }));
}

/** Reads the first pending lookups that were requested at `before` (naive UTC) or earlier. One statement. */
export function readLostLookups(database: Database, before: string): Promise<LookupRequest[]> {
  const sql = `SELECT isbn, asin, priority FROM lookup WHERE status = 'pending' AND requested <= ?1
               ORDER BY priority, requested LIMIT 100`;
  return rows<LookupRequest>(database, { sql, values: [before] });
}

/** Stores the outcome of lookups by identifier. One statement. */
export async function settleLookups(
  database: Database,
  settled: ReadonlyMap<string, Exclude<LookupRow["status"], "pending">>,
): Promise<void> {
  if (settled.size === 0) return;
  const sql = `UPDATE lookup SET status = e.value->>1 FROM json_each(?1) e
               WHERE lookup.identifier = e.value->>0 AND lookup.status = 'pending'`;
  await run(database, { sql, values: [JSON.stringify([...settled])] });
}

type LookupRequest = Pick<LookupRow, "isbn" | "asin" | "priority">;

/** Period in hours in which repeated requests for a book count as one. */
const LOOKUP_PERIOD_HOURS = 24;

const STAGE = `
  INSERT INTO lookup (identifier, isbn, asin, priority, requested)
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, ?2 FROM json_each(?1) e WHERE true
  ON CONFLICT (identifier) DO UPDATE SET
    priority = CASE WHEN excluded.priority = 'high' THEN 'high' ELSE lookup.priority END,
    status = CASE WHEN lookup.requested <= ?3 THEN 'pending' ELSE lookup.status END,
    requested = CASE WHEN lookup.requested <= ?3 THEN excluded.requested ELSE lookup.requested END`;

/** Returns the identifier of a lookup: the ISBN-13 if the book has an ISBN, otherwise its ASIN. */
export function lookupIdentifier({ isbn, asin }: Pick<LookupRequest, "isbn" | "asin">): string | undefined {
  return (isbn === null ? undefined : (convertIsbn10(isbn) ?? isbn)) ?? asin ?? undefined;
}

/** Stores requests; `now` is naive UTC. Idempotent within the period. */
export async function stageLookups(
  database: Database,
  requests: readonly LookupRequest[],
  now: string,
): Promise<void> {
  // PostgreSQL rejects an upsert with repeated keys, so each identifier comes once.
  const byIdentifier = new Map<string, LookupRequest>();
  for (const request of requests) {
    const identifier = lookupIdentifier(request);
    if (identifier === undefined) continue;
    const known = byIdentifier.get(identifier) ?? request;
    byIdentifier.set(identifier, request.priority === "high" ? { ...known, priority: "high" } : known);
  }
  if (byIdentifier.size === 0) return;
  const list = [...byIdentifier].map(([id, { isbn, asin, priority }]) => [id, isbn, asin, priority]);
  const before = new Date(Date.parse(`${now.slice(0, 23)}Z`) - LOOKUP_PERIOD_HOURS * HOUR_MS);
  const bound = `${before.toISOString().slice(0, -1)}000`;
  await run(database, { sql: STAGE, values: [JSON.stringify(list), now, bound] });
}

import { isbn10to13 } from "../../catalog/identifiers/isbn.ts";
import { type Database, run } from "../statement.ts";
import type { LookupRow } from "./rows.ts";

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
  return (isbn === null ? undefined : (isbn10to13(isbn) ?? isbn)) ?? asin ?? undefined;
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
  const list = [...byIdentifier].map(([identifier, { isbn, asin, priority }]) => [
    identifier,
    isbn,
    asin,
    priority,
  ]);
  if (list.length === 0) return;
  const before = new Date(Date.parse(`${now.slice(0, 23)}Z`) - LOOKUP_PERIOD_HOURS * 3_600_000);
  const bound = `${before.toISOString().slice(0, -1)}000`;
  await run(database, { sql: STAGE, values: [JSON.stringify(list), now, bound] });
}

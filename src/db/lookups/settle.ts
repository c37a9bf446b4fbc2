import { type Database, prepare, rows } from "../statement.ts";

/** Those of some lookups that nobody has answered yet, by their identifiers. One statement. */
export async function pendingLookups(
  database: Database,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ identifier: string }>(database, {
    sql: `SELECT identifier FROM lookup
          WHERE identifier IN (SELECT value FROM json_each(?1)) AND status = 'pending'`,
    values: [JSON.stringify(identifiers)],
  });
  return new Set(found.map(({ identifier }) => identifier));
}

/** Notes what came of lookups: `done` where the book is staged now, `failed` where nobody knows it. One statement. */
export async function settleLookups(
  database: Database,
  settled: ReadonlyMap<string, "done" | "failed">,
): Promise<void> {
  if (settled.size === 0) return;
  await prepare(database, {
    sql: `UPDATE lookup SET status = e.value->>1 FROM json_each(?1) e
          WHERE lookup.identifier = e.value->>0 AND lookup.status = 'pending'`,
    values: [JSON.stringify([...settled])],
  }).run();
}

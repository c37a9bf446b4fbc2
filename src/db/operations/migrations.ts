import { type Database, firstRow } from "../statement.ts";

/** The newest migration that was applied to a database, such as `0019_covers.sql`; null when none is noted. */
export async function readNewestMigration(database: Database): Promise<string | null> {
  const noted = await firstRow<{ found: number }>(database, {
    sql: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'",
    values: [],
  });
  if (noted?.found !== 1) return null;
  const sql = "SELECT max(name) AS name FROM d1_migrations";
  return (await firstRow<{ name: string | null }>(database, { sql, values: [] }))?.name ?? null;
}

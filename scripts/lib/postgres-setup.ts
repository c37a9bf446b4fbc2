import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { Client } from "pg";
import { ROOT } from "./paths.ts";
import { requireKnown } from "./store-files.ts";

const MIGRATIONS = "migrations/postgres";
/** Arbitrary number of the advisory lock that serialises set-up. */
const LOCK = 7_000_081;

/** Applies missing migrations of migrations/postgres, each in a transaction. Returns their names. */
export async function setUpPostgres(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query("CREATE SCHEMA IF NOT EXISTS carrel");
    await client.query("CREATE TABLE IF NOT EXISTS carrel.migration (name TEXT PRIMARY KEY)");
    const { rows } = await client.query("SELECT name FROM carrel.migration");
    const done = new Set(rows.map(({ name }) => name));
    await requireKnown([...done], { binding: "the catalog in PostgreSQL", folder: MIGRATIONS });
    const names = (await readdir(path.join(ROOT, MIGRATIONS)))
      .filter((name) => name.endsWith(".sql") && !done.has(name))
      .sort();
    for (const name of names) {
      const text = await readFile(path.join(ROOT, MIGRATIONS, name), "utf8");
      await client.query(`BEGIN; ${text}; INSERT INTO carrel.migration VALUES ('${name}'); COMMIT`);
    }
    return names;
  } finally {
    await client.end();
  }
}

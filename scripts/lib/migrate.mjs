import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.mjs";

/** @import { Miniflare } from "miniflare" */
/** @import { Config } from "./config.mjs" */

const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/**
 * Applies the migrations that a local database lacks, in the way of `wrangler d1 migrations apply`.
 * @param {Miniflare} runtime
 * @param {Config} config
 */
export async function migrate(runtime, config) {
  for (const { binding, migrations_dir: directory } of config.d1_databases) {
    const database = await runtime.getD1Database(binding);
    await database.prepare(TABLE).run();
    const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
    const done = new Set(results.map((row) => row["name"]));
    const files = await readdir(path.join(ROOT, directory));
    const missing = files.filter((file) => file.endsWith(".sql") && !done.has(file)).sort();
    for (const file of missing) await apply(database, path.join(ROOT, directory, file));
    if (missing.length > 0) console.log(`${binding}: applied ${missing.length} migrations`);
  }
}

/**
 * @param {import("@cloudflare/workers-types").D1Database} database
 * @param {string} file
 */
async function apply(database, file) {
  const { unstable_splitSqlQuery: split } = await import("wrangler");
  const statements = split(await readFile(file, "utf8"));
  await database.batch([
    ...statements.map((statement) => database.prepare(statement)),
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(path.basename(file)),
  ]);
}

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

const DATABASES = [
  { database: env.CATALOG, migrations: env.MIGRATIONS.catalog },
  { database: env.SEARCH, migrations: env.MIGRATIONS.search },
  { database: env.PATRONS, migrations: env.MIGRATIONS.patrons },
] as const;

/** A database as its migrations leave it, and what makes it so again as long as its schema is the same. */
interface Migrated {
  readonly database: D1Database;
  readonly schema: string;
  readonly restore: readonly D1PreparedStatement[];
}

let migrated: readonly Migrated[] = [];

/**
 * Leaves in the databases what the migrations put there. The first time in a runtime, and after a test that has changed
 * a schema, all stores are deleted and the migrations run; else only rows are deleted, which takes milliseconds.
 */
export async function emptyDatabases(): Promise<void> {
  const schemas = await Promise.all(DATABASES.map(({ database }) => schemaOf(database)));
  if (DATABASES.every((_, index) => migrated[index]?.schema === schemas[index])) {
    await Promise.all(migrated.map(({ database, restore }) => database.batch([...restore])));
    return;
  }
  await reset();
  migrated = await Promise.all(
    DATABASES.map(async ({ database, migrations }) => {
      await applyD1Migrations(database, migrations);
      return { database, schema: await schemaOf(database), restore: await restoringOf(database) };
    }),
  );
}

async function schemaOf(database: D1Database): Promise<string> {
  return JSON.stringify(
    await database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name, type").raw(),
  );
}

/** Statements that delete all rows, and insert those that are there now. */
async function restoringOf(database: D1Database): Promise<D1PreparedStatement[]> {
  const { results } = await database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'`)
    .all<{ name: string; sql: string }>();
  const isVirtual = (sql: string): boolean => sql.startsWith("CREATE VIRTUAL TABLE");
  const texts = results.filter(({ sql }) => /^CREATE VIRTUAL TABLE \S+ USING fts5\b/.test(sql));
  const tables = results.filter(
    ({ name, sql }) =>
      !isVirtual(sql) &&
      !/^(sqlite|d1)_/.test(name) &&
      // No shadow tables, which hold the contents of a full-text table.
      !texts.some((text) => name.startsWith(`${text.name}_`)),
  );
  const inserts = await Promise.all(tables.map(({ name }) => insertsOf(database, name)));
  return [
    // Tables come in any order.
    database.prepare("PRAGMA defer_foreign_keys = true"),
    ...tables.map(({ name }) => database.prepare(`DELETE FROM ${name}`)),
    ...texts.map(({ name }) => database.prepare(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)),
    // Counters of AUTOINCREMENT.
    database.prepare("DELETE FROM sqlite_sequence WHERE name NOT GLOB 'd1_*'"),
    ...inserts.flat(),
  ];
}

async function insertsOf(database: D1Database, table: string): Promise<D1PreparedStatement[]> {
  const rows = await database.prepare(`SELECT * FROM ${table}`).raw();
  return rows.map((row) =>
    database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => "?").join(", ")})`).bind(...row),
  );
}

import { type Database, firstRow, firstValue, prepare } from "../statement.ts";

/** Returns the size of a database in bytes: D1 reports it with every result, PostgreSQL on request. */
export async function readDatabaseSize(database: Database): Promise<number> {
  const { meta } = await prepare(database, { sql: "SELECT 1", values: [] }).run();
  const sql = "SELECT pg_database_size(current_database())";
  return meta.size_after ?? (await firstValue<number>(database, { sql, values: [] })) ?? 0;
}

/** Returns the newest migration applied to a database, such as `0019_covers.sql`; null if none is recorded. */
export async function readNewestMigration(database: Database): Promise<string | null> {
  const noted = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'";
  if ((await firstValue<number>(database, { sql: noted, values: [] })) !== 1) return null;
  const sql = "SELECT max(name) AS name FROM d1_migrations";
  return (await firstValue<string | null>(database, { sql, values: [] })) ?? null;
}

/** Maximum count per kind of row. If there are more, the result is this number plus one. */
const WAITING_ROWS_MAX = 10_000;

/** Returns a statement that yields one row with the number of rows of each selection, and further columns. */
function countSql(selections: Readonly<Record<string, string>>, ...others: string[]): string {
  const counts = Object.entries(selections).map(
    ([name, rows]) => `(SELECT count(*) FROM (${rows} LIMIT ${WAITING_ROWS_MAX + 1})) AS ${name}`,
  );
  return `SELECT ${[...counts, ...others].join(", ")}`;
}

async function readCounts<Row>(database: Database, sql: string, ...values: string[]): Promise<Row> {
  const row = await firstRow<Row>(database, { sql, values });
  if (row === undefined) throw new Error("nothing was counted");
  return row;
}

const CATALOG_WAITING = {
  import_items: "SELECT 1 FROM import_item WHERE status = 'pending'",
  import_batches: "SELECT 1 FROM import_batch WHERE state = 'splitting'",
  covers: "SELECT 1 FROM cover WHERE state = 'pending'",
  lookups: "SELECT 1 FROM lookup WHERE status = 'pending'",
  merges: "SELECT 1 FROM merge_job WHERE state = 'open'",
  dumps: "SELECT 1 FROM dump WHERE stage <> 'done'",
  // The plus prevents SQLite from scanning all items that have ever failed.
  failed_imports: "SELECT 1 FROM import_item WHERE import_time >= ?1 AND +status = 'failed'",
};
const NEWEST_DUMP = "(SELECT max(date) FROM dump WHERE kind = 'full' AND state = 'published') AS newest_dump";

/** Waiting work in the catalog. `newest_dump` is the date of the newest published full dump. */
type CatalogWaiting = Record<keyof typeof CATALOG_WAITING, number> & { readonly newest_dump: string | null };

/** Counts waiting work in the catalog, and items that failed since `hour` (naive UTC). One statement, by indexes. */
export function readCatalogWaiting(catalog: Database, hour: string): Promise<CatalogWaiting> {
  return readCounts(catalog, countSql(CATALOG_WAITING, NEWEST_DUMP), hour);
}

const PATRONS_WAITING = {
  removals: "SELECT 1 FROM removal",
  moves: "SELECT 1 FROM work_move",
  reading_log_imports: "SELECT 1 FROM import_job",
  dead_letters: "SELECT 1 FROM dead_letter WHERE message <> ''",
};

/** Counts the jobs of patrons, and the dead letters of all queues. One statement. */
export function readPatronsWaiting(patrons: Database): Promise<Record<keyof typeof PATRONS_WAITING, number>> {
  return readCounts(patrons, countSql(PATRONS_WAITING));
}

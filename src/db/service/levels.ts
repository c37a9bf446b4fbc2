import { type Database, firstRow, firstValue, prepare } from "../statement.ts";

/** Bytes that a database takes: D1 says so with the answer to any statement, PostgreSQL when it is asked. */
export async function readDatabaseSize(database: Database): Promise<number> {
  const { meta } = await prepare(database, { sql: "SELECT 1", values: [] }).run();
  const sql = "SELECT pg_database_size(current_database())";
  return meta.size_after ?? (await firstValue<number>(database, { sql, values: [] })) ?? 0;
}

/** The newest migration that was applied to a database, such as `0019_covers.sql`; null when none is noted. */
export async function readNewestMigration(database: Database): Promise<string | null> {
  const noted = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'";
  if ((await firstValue<number>(database, { sql: noted, values: [] })) !== 1) return null;
  const sql = "SELECT max(name) AS name FROM d1_migrations";
  return (await firstValue<string | null>(database, { sql, values: [] })) ?? null;
}

/** Rows that are counted of one kind; where there are more, this number and one more is said. */
const WAITING_ROWS_MAX = 10_000;

/** A statement that gives one row: how many rows each of these selections has, and what else is asked for. */
function countedBy(selections: Readonly<Record<string, string>>, ...others: string[]): string {
  const counts = Object.entries(selections).map(
    ([name, rows]) => `(SELECT count(*) FROM (${rows} LIMIT ${WAITING_ROWS_MAX + 1})) AS ${name}`,
  );
  return `SELECT ${[...counts, ...others].join(", ")}`;
}

async function counted<Row>(database: Database, sql: string, ...values: string[]): Promise<Row> {
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
  // The plus keeps SQLite from looking through everything that has ever failed.
  failed_imports: "SELECT 1 FROM import_item WHERE import_time >= ?1 AND +status = 'failed'",
};
const NEWEST_DUMP = "(SELECT max(date) FROM dump WHERE kind = 'full' AND state = 'published') AS newest_dump";

/** What of the catalog waits for somebody; `newest_dump`: date of the newest one of everything that can be had. */
type CatalogWaiting = Record<keyof typeof CATALOG_WAITING, number> & { readonly newest_dump: string | null };

/** Counts what waits in the catalog, and what has failed since `hour` (naive UTC). One statement, by indexes. */
export function readCatalogWaiting(catalog: Database, hour: string): Promise<CatalogWaiting> {
  return counted(catalog, countedBy(CATALOG_WAITING, NEWEST_DUMP), hour);
}

const PATRONS_WAITING = {
  removals: "SELECT 1 FROM removal",
  moves: "SELECT 1 FROM work_move",
  reading_log_imports: "SELECT 1 FROM import_job",
  dead_letters: "SELECT 1 FROM dead_letter WHERE message <> ''",
};

/** Counts jobs of patrons, and the messages of all queues that could not be delivered. One statement. */
export function readPatronsWaiting(patrons: Database): Promise<Record<keyof typeof PATRONS_WAITING, number>> {
  return counted(patrons, countedBy(PATRONS_WAITING));
}

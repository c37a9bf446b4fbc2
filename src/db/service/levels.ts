import { type Database, firstRow, firstValue } from "../statement.ts";

/** Bytes that a database takes, as the platform says with the answer to any statement. */
export async function readDatabaseSize(database: D1Database): Promise<number> {
  const { meta } = await database.prepare("SELECT 1").run();
  return meta.size_after;
}

/** The newest migration that was applied to a database, such as `0019_covers.sql`; null when none is noted. */
export async function readNewestMigration(database: Database): Promise<string | null> {
  const noted = await firstRow<{ found: number }>(database, {
    sql: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'",
    values: [],
  });
  if (noted?.found !== 1) return null;
  const sql = "SELECT max(name) AS name FROM d1_migrations";
  return (await firstValue<string | null>(database, { sql, values: [] })) ?? null;
}

/** Rows that are counted of one kind; where there are more, this number and one more is said. */
const WAITING_ROWS_MAX = 10_000;

const bounded = (rows: string): string => `(SELECT count(*) FROM (${rows} LIMIT ${WAITING_ROWS_MAX + 1}))`;

/** What of the catalog waits for somebody to work on it. */
interface CatalogWaiting {
  readonly import_items: number;
  readonly import_batches: number;
  readonly covers: number;
  readonly lookups: number;
  readonly merges: number;
  /** Dumps that are being made. */
  readonly dumps: number;
  /** Items of imports that have failed since `hour`. */
  readonly failed_imports: number;
  /** Date of the newest dump of everything that can be had; null when there is none. */
  readonly newest_dump: string | null;
}

/**
 * Counts what waits in the catalog: items and batches of imports, covers, lookups, merges, dumps; and what has failed since
 * `hour` (naive UTC). One statement, by indexes.
 */
export async function readCatalogWaiting(catalog: Database, hour: string): Promise<CatalogWaiting> {
  const counts = await firstRow<CatalogWaiting>(catalog, {
    // The plus keeps SQLite from looking through everything that has ever failed.
    sql: `SELECT ${bounded("SELECT 1 FROM import_item WHERE status = 'pending'")} AS import_items,
                 ${bounded("SELECT 1 FROM import_batch WHERE state = 'splitting'")} AS import_batches,
                 ${bounded("SELECT 1 FROM cover WHERE state = 'pending'")} AS covers,
                 ${bounded("SELECT 1 FROM lookup WHERE status = 'pending'")} AS lookups,
                 ${bounded("SELECT 1 FROM merge_job WHERE state = 'open'")} AS merges,
                 ${bounded("SELECT 1 FROM dump WHERE stage <> 'done'")} AS dumps,
                 ${bounded("SELECT 1 FROM import_item WHERE import_time >= ?1 AND +status = 'failed'")} AS failed_imports,
                 (SELECT max(date) FROM dump WHERE kind = 'full' AND state = 'published') AS newest_dump`,
    values: [hour],
  });
  if (counts === undefined) throw new Error("nothing was counted");
  return counts;
}

/** Jobs of patrons that are not done, and messages that could not be delivered. */
interface PatronsWaiting {
  readonly removals: number;
  readonly moves: number;
  readonly reading_log_imports: number;
  readonly dead_letters: number;
}

/**
 * Counts jobs of patrons: accounts to be removed, works that became others, imports of reading logs; and the messages of all
 * queues that could not be delivered. One statement.
 */
export async function readPatronsWaiting(patrons: Database): Promise<PatronsWaiting> {
  const sql = `SELECT ${bounded("SELECT 1 FROM removal")} AS removals, ${bounded("SELECT 1 FROM work_move")} AS moves,
                      ${bounded("SELECT 1 FROM import_job")} AS reading_log_imports,
                      ${bounded("SELECT 1 FROM dead_letter WHERE message <> ''")} AS dead_letters`;
  const counts = await firstRow<PatronsWaiting>(patrons, { sql, values: [] });
  if (counts === undefined) throw new Error("nothing was counted");
  return counts;
}

/** Jobs of the search index that may begin at `now` (naive UTC). One statement. */
export async function readSearchWaiting(
  search: Database,
  now: string,
): Promise<{ readonly index_jobs: number }> {
  const sql = `SELECT ${bounded("SELECT 1 FROM index_job WHERE due <= ?1")} AS index_jobs`;
  const counts = await firstRow<{ index_jobs: number }>(search, { sql, values: [now] });
  if (counts === undefined) throw new Error("nothing was counted");
  return counts;
}

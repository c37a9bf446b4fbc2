import { type Database, firstRow, firstValue, prepare } from "../statement.ts";

const COUNTED = {
  works: "/type/work",
  editions: "/type/edition",
  authors: "/type/author",
  lists: "/type/list",
  series: "/type/series",
} as const;

/** Numbers of records and changes: in total, and since a time. */
type RecordTotals = Readonly<Record<keyof typeof COUNTED | "changes" | "newChanges", number>>;

/**
 * Counts records by type, and changes since `since` (naive UTC). One statement, which scans the index of types, so
 * callers cache the result.
 */
export async function readTotals(catalog: Database, since: string): Promise<RecordTotals> {
  const records = Object.entries(COUNTED).map(
    ([name, type]) =>
      `(SELECT count(*) FROM record INDEXED BY record_by_type WHERE type = '${type}') AS ${name}`,
  );
  const sql = `SELECT ${records.join(", ")}, (SELECT count(*) FROM change) AS changes,
                 (SELECT count(*) FROM change WHERE created >= ?1) AS newChanges`;
  const totals = await firstRow<RecordTotals>(catalog, { sql, values: [since] });
  if (totals === undefined) throw new Error("nothing was counted");
  return totals;
}

export async function countChanges(database: Database, author: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM change WHERE author = ?1";
  return (await firstValue<number>(database, { sql, values: [author] })) ?? 0;
}

/** Statistics of one day (UTC): revisions, revisions by bots, and new accounts. */
interface DayStatistics {
  readonly edits: number;
  readonly edits_by_bots: number;
  readonly new_accounts: number;
}

/** Reads the statistics of the half-open day `[day, nextDay)`, both `YYYY-MM-DD`. */
export async function readStatisticsOfDay(
  database: Database,
  { day, nextDay }: { day: string; nextDay: string },
): Promise<DayStatistics> {
  const sql = `SELECT coalesce(sum(edits), 0) AS edits, coalesce(sum(edits * bot), 0) AS edits_by_bots,
                      count(CASE kind WHEN 'new-account' THEN 1 END) AS new_accounts
               FROM (SELECT c.bot, c.kind,
                            (SELECT count(*) FROM record r WHERE r.change_id = c.id) +
                            (SELECT count(*) FROM revision v WHERE v.change_id = c.id) AS edits
                     FROM change c WHERE c.created >= ?1 AND c.created < ?2)`;
  const row = await firstRow<DayStatistics>(database, { sql, values: [day, nextDay] });
  return row ?? { edits: 0, edits_by_bots: 0, new_accounts: 0 };
}

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
    ([name, selection]) => `(SELECT count(*) FROM (${selection} LIMIT ${WAITING_ROWS_MAX + 1})) AS ${name}`,
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

const OLDEST_IMPORT =
  "(SELECT added_time FROM import_item WHERE status = 'pending' ORDER BY id LIMIT 1) AS oldest_import";

/** Waiting work in the catalog. */
type CatalogWaiting = Record<keyof typeof CATALOG_WAITING, number> & {
  /** Date of the newest published full dump. */
  readonly newest_dump: string | null;
  /** Time since which an item waits for its import, naive UTC. */
  readonly oldest_import: string | null;
};

/** Counts waiting work in the catalog, and items that failed since `hour` (naive UTC). One statement, by indexes. */
export function readCatalogWaiting(catalog: Database, hour: string): Promise<CatalogWaiting> {
  return readCounts(catalog, countSql(CATALOG_WAITING, NEWEST_DUMP, OLDEST_IMPORT), hour);
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

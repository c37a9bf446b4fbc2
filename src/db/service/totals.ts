import { type Database, firstRow, firstValue, rows } from "../statement.ts";

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
export async function dayStatistics(
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

/** Reads the highest numbers of sequences, by name. Unused sequences are absent. */
export async function sequenceValues(
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sql = "SELECT name, value FROM sequence WHERE name IN (SELECT value FROM json_each(?1))";
  const values = [JSON.stringify(names)];
  const sequences = await rows<{ name: string; value: number }>(database, { sql, values });
  return new Map(sequences.map(({ name, value }) => [name, value]));
}

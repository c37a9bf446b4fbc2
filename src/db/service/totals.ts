import { type Database, batchGroups, firstRow, firstValue, rows } from "../statement.ts";

/** Types of records whose numbers are told. */
const COUNTED = ["/type/work", "/type/edition", "/type/author", "/type/list", "/type/series"];

/** How many records there are, and how often the catalog was changed. */
interface RecordTotals {
  readonly works: number;
  readonly editions: number;
  readonly authors: number;
  readonly lists: number;
  readonly series: number;
  /** Changes of all time. */
  readonly changes: number;
  /** Changes from a time on. */
  readonly newChanges: number;
}

/**
 * Counts records by type, and changes from `since` on (naive UTC). One round trip; it walks the index of types, so that
 * callers keep the answer.
 */
export async function readTotals(catalog: Database, since: string): Promise<RecordTotals> {
  interface Groups {
    types: { type: string; count: number };
    changes: { total: number; recent: number };
  }
  const { types, changes } = await batchGroups<Groups>(catalog, {
    types: [
      {
        sql: `SELECT type, count(*) AS count FROM record INDEXED BY record_by_type
              WHERE type IN (SELECT value FROM json_each(?1)) GROUP BY type`,
        values: [JSON.stringify(COUNTED)],
      },
    ],
    changes: [
      {
        sql: `SELECT (SELECT count(*) FROM change) AS total,
                     (SELECT count(*) FROM change WHERE created >= ?1) AS recent`,
        values: [since],
      },
    ],
  });
  const counts = new Map(types.map(({ type, count }) => [type, count]));
  return {
    works: counts.get("/type/work") ?? 0,
    editions: counts.get("/type/edition") ?? 0,
    authors: counts.get("/type/author") ?? 0,
    lists: counts.get("/type/list") ?? 0,
    series: counts.get("/type/series") ?? 0,
    changes: changes[0]?.total ?? 0,
    newChanges: changes[0]?.recent ?? 0,
  };
}

/** Changes made by a user. */
export async function countChanges(database: Database, author: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM change WHERE author = ?1";
  return (await firstValue<number>(database, { sql, values: [author] })) ?? 0;
}

/** What happened on one day (UTC): revisions, those of them by bots, and accounts. */
interface DayStatistics {
  readonly edits: number;
  readonly edits_by_bots: number;
  readonly new_accounts: number;
}

/** Statistics of the half-open day `[day, nextDay)`, both `YYYY-MM-DD`. */
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

/** The highest numbers of sequences, by name; those that have not been used are absent. */
export async function sequenceValues(
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sql = "SELECT name, value FROM sequence WHERE name IN (SELECT value FROM json_each(?1))";
  const found = await rows<{ name: string; value: number }>(database, {
    sql,
    values: [JSON.stringify(names)],
  });
  return new Map(found.map(({ name, value }) => [name, value]));
}

/** The highest number of a sequence, 0 for one that has not been used. */
export async function sequenceValue(database: Database, name: string): Promise<number> {
  return (await sequenceValues(database, [name])).get(name) ?? 0;
}

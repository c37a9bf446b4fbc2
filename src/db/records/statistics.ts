import { idRange } from "../../catalog/record-id.ts";
import { type Database, firstRow, rows } from "../statement.ts";

/** Editions that name a record in `authors` (by the edition itself) or in `works`. */
export async function countEditions(
  database: Database,
  member: "authors" | "works",
  key: string,
): Promise<number> {
  const { from, to } = idRange("M");
  const row = await firstRow<{ count: number }>(database, {
    sql: `SELECT count(*) AS count FROM property
          WHERE name = ?1 AND value = ?2 AND record_id >= ?3 AND record_id < ?4`,
    values: [member, key, from, to],
  });
  return row?.count ?? 0;
}

/** Changes made by a user. */
export async function countChanges(database: Database, author: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM change WHERE author = ?1";
  return (await firstRow<{ count: number }>(database, { sql, values: [author] }))?.count ?? 0;
}

/** What happened on one day (UTC): revisions, those of them by bots, and accounts. */
export interface DayStatistics {
  readonly edits: number;
  readonly edits_by_bots: number;
  readonly new_accounts: number;
}

/** Statistics of the half-open day `[day, nextDay)`, both `YYYY-MM-DD`. */
export async function dayStatistics(
  database: Database,
  { day, nextDay }: { day: string; nextDay: string },
): Promise<DayStatistics> {
  const row = await firstRow<DayStatistics>(database, {
    sql: `SELECT coalesce(sum(edits), 0) AS edits, coalesce(sum(edits * bot), 0) AS edits_by_bots,
                 count(CASE kind WHEN 'new-account' THEN 1 END) AS new_accounts
          FROM (SELECT c.bot, c.kind,
                       (SELECT count(*) FROM record r WHERE r.change_id = c.id) +
                       (SELECT count(*) FROM revision v WHERE v.change_id = c.id) AS edits
                FROM change c WHERE c.created >= ?1 AND c.created < ?2)`,
    values: [day, nextDay],
  });
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
  const sql = "SELECT value FROM sequence WHERE name = ?1";
  return (await firstRow<{ value: number }>(database, { sql, values: [name] }))?.value ?? 0;
}

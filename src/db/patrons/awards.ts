import { type Database, firstRow } from "../statement.ts";

/** Which awards are counted; what is absent restricts nothing. */
export interface AwardFilter {
  readonly work?: number | undefined;
  /** Username, whatever the case. */
  readonly patron?: string | undefined;
  readonly topic?: string | undefined;
}

/** How many awards there are of a work, by a patron, for a topic, or for several of these at once. */
export async function countAwards(patrons: Database, { work, patron, topic }: AwardFilter): Promise<number> {
  const conditions: [string, string | number | undefined][] = [
    ["work_id = ?", work],
    ["patron = ?", patron?.toLowerCase()],
    ["award_topic = ?", topic],
  ];
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const sql = ["award_id IS NOT NULL", ...given.map((condition) => condition.sql)].join(" AND ");
  const values = given.map(({ value }) => value);
  // Many patrons have a work, and one may have very many works: of these only awards are looked at.
  const index = work !== undefined ? "award" : patron !== undefined ? "awarder" : "topic";
  const text = `SELECT count(*) AS awards FROM patron_work INDEXED BY patron_work_by_${index} WHERE ${sql}`;
  return (await firstRow<{ awards: number }>(patrons, { sql: text, values }))?.awards ?? 0;
}

/** A number for an award that no other has or had. */
export async function newAwardId(patrons: Database): Promise<number> {
  const sql = "UPDATE award_number SET value = value + 1 RETURNING value";
  const row = await firstRow<{ value: number }>(patrons, { sql, values: [] });
  if (row === undefined) throw new Error("no row in award_number");
  return row.value;
}

import { type Database, allValues, firstValue, run } from "../statement.ts";

/** Returns a number for an award that no other has or had. Throws if the counter's row is missing. */
export async function newAwardId(patrons: Database): Promise<number> {
  const sql = "UPDATE award_number SET value = value + 1 RETURNING value";
  const id = await firstValue<number>(patrons, { sql, values: [] });
  if (id === undefined) throw new Error("no row in award_number");
  return id;
}

/** Returns a number for a check-in that no other has or had, and stores its owner. */
export async function newCheckInId(patrons: Database, patron: string): Promise<number> {
  const [id] = await newCheckInIds(patrons, patron.toLowerCase(), 1);
  if (id === undefined) throw new Error("no number for a check-in");
  return id;
}

/** Reserves numbers of check-ins for a patron, by username in lower case. One statement. */
export async function newCheckInIds(patrons: Database, patron: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
               INSERT INTO check_in_id (patron) SELECT ?1 FROM n RETURNING id`;
  return allValues<number>(patrons, { sql, values: [patron, count] });
}

/** Deletes the number of a deleted check-in. It is not given out again. */
export async function forgetCheckIn(patrons: Database, id: number): Promise<void> {
  await run(patrons, { sql: "DELETE FROM check_in_id WHERE id = ?1", values: [id] });
}

import { type Database, allValues, firstValue, run } from "../statement.ts";

/** A number for an award that no other has or had. */
export async function newAwardId(patrons: Database): Promise<number> {
  const sql = "UPDATE award_number SET value = value + 1 RETURNING value";
  const id = await firstValue<number>(patrons, { sql, values: [] });
  if (id === undefined) throw new Error("no row in award_number");
  return id;
}

/** A number for a check-in that no other has or had; whose it is, is kept with it. */
export async function newCheckInId(patrons: Database, patron: string): Promise<number> {
  const [id] = await newCheckInIds(patrons, patron.toLowerCase(), 1);
  if (id === undefined) throw new Error("no number for a check-in");
  return id;
}

/** Gives out numbers of check-ins that will be this patron's, by his name in lower case. One statement. */
export async function newCheckInIds(patrons: Database, patron: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
               INSERT INTO check_in_id (patron) SELECT ?1 FROM n RETURNING id`;
  return allValues<number>(patrons, { sql, values: [patron, count] });
}

/** Forgets the number of a check-in that is deleted. It is not given out again. */
export async function forgetCheckIn(patrons: Database, id: number): Promise<void> {
  await run(patrons, { sql: "DELETE FROM check_in_id WHERE id = ?1", values: [id] });
}

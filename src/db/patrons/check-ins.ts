import { type Database, firstRow, prepare } from "../statement.ts";

/** A number for a check-in that no other has or had; whose it is, is kept with it. */
export async function newCheckInId(patrons: Database, patron: string): Promise<number> {
  const sql = "INSERT INTO check_in_id (patron) VALUES (?1) RETURNING id";
  const row = await firstRow<{ id: number }>(patrons, { sql, values: [patron.toLowerCase()] });
  if (row === undefined) throw new Error("no number for a check-in");
  return row.id;
}

/** Whose check-in a number belongs to: username in lower case; undefined when it was never given out, or is forgotten. */
export async function checkInOwner(patrons: Database, id: number): Promise<string | undefined> {
  const sql = "SELECT patron FROM check_in_id WHERE id = ?1";
  return (await firstRow<{ patron: string }>(patrons, { sql, values: [id] }))?.patron;
}

/** Forgets the number of a check-in that is deleted. It is not given out again. */
export async function forgetCheckIn(patrons: Database, id: number): Promise<void> {
  await prepare(patrons, { sql: "DELETE FROM check_in_id WHERE id = ?1", values: [id] }).run();
}

import { type Database, batchRows, firstRow, prepare, rows } from "../statement.ts";

/** An account that is being removed. Times are milliseconds since the epoch. */
export interface Removal {
  readonly id: number;
  /** As the account spelled it. */
  readonly username: string;
  readonly email: string;
  /** Name under which shelves, ratings and observations stay counted. */
  readonly anonymous: string;
  /** True when everything was removed once, and what was on its way then is left. */
  readonly isSwept: boolean;
  readonly due: number;
}

interface RemovalRow extends Omit<Removal, "isSwept"> {
  readonly isSwept: number;
}

const COLUMNS = "id, username, email, anonymous, is_swept AS isSwept, due";

/** Begins a removal, or finds the one that has begun: its name holds. */
export async function openRemoval(
  patrons: D1Database,
  wanted: Pick<Removal, "username" | "email" | "anonymous" | "due"> & { readonly now: number },
): Promise<Removal> {
  const { username, email, anonymous, due, now } = wanted;
  const [, found = []] = await batchRows(patrons, [
    {
      sql: `INSERT INTO removal (username_folded, username, email, anonymous, created, due)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (username_folded) DO NOTHING`,
      values: [username.toLowerCase(), username, email, anonymous, now, due],
    },
    { sql: `SELECT ${COLUMNS} FROM removal WHERE username_folded = ?1`, values: [username.toLowerCase()] },
  ]);
  // The row has the columns of the statement.
  const [row] = found as RemovalRow[];
  if (row === undefined) throw new Error("a removal that was not stored");
  return removalOf(row);
}

/** A removal that is under way; undefined when it is done. */
export async function readRemoval(patrons: Database, id: number): Promise<Removal | undefined> {
  const sql = `SELECT ${COLUMNS} FROM removal WHERE id = ?1`;
  const row = await firstRow<RemovalRow>(patrons, { sql, values: [id] });
  return row === undefined ? undefined : removalOf(row);
}

/** True while the account of a name is being removed: nobody else can have the name. */
export async function isBeingRemoved(patrons: Database, username: string): Promise<boolean> {
  const sql = "SELECT id FROM removal WHERE username_folded = ?1";
  return (await firstRow(patrons, { sql, values: [username.toLowerCase()] })) !== undefined;
}

/** Removals that are to be gone on with, those due for longest first. */
export async function dueRemovals(patrons: Database, now: number, limit: number): Promise<number[]> {
  const sql = "SELECT id FROM removal WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return (await rows<{ id: number }>(patrons, { sql, values: [now, limit] })).map(({ id }) => id);
}

/** Notes when a removal is to be gone on with, and whether everything was removed once. */
export async function noteRemoval(
  patrons: Database,
  { id, isSwept, due }: Pick<Removal, "id" | "isSwept" | "due">,
): Promise<void> {
  const sql = "UPDATE removal SET is_swept = ?2, due = ?3 WHERE id = ?1";
  await prepare(patrons, { sql, values: [id, Number(isSwept), due] }).run();
}

/** Forgets a removal: nothing is left of the account. */
export async function endRemoval(patrons: Database, id: number): Promise<void> {
  await prepare(patrons, { sql: "DELETE FROM removal WHERE id = ?1", values: [id] }).run();
}

function removalOf({ isSwept, ...row }: RemovalRow): Removal {
  return { ...row, isSwept: isSwept === 1 };
}

import { type Database, firstRow } from "../statement.ts";

/**
 * Takes `count` numbers of a sequence in one statement and returns the first of them. Nobody else ever gets
 * them; those that are not used stay gaps (records.md 9).
 */
export async function reserveNumbers(database: Database, sequence: string, count: number): Promise<number> {
  if (count === 0) return 0;
  const row = await firstRow<{ value: number }>(database, {
    sql: `INSERT INTO sequence (name, value) VALUES (?1, ?2)
          ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
    values: [sequence, count],
  });
  if (row === undefined) throw new Error(`the sequence ${sequence} gave no number`);
  return row.value - count + 1;
}

import { type Database, rows } from "../statement.ts";

/**
 * Takes `count` numbers of a sequence in one statement and returns the first of them. Nobody else ever gets
 * them; those that are not used stay gaps (records.md 9).
 */
export async function reserveNumbers(database: Database, sequence: string, count: number): Promise<number> {
  const firsts = await reserveAll(database, new Map([[sequence, count]]));
  return firsts.get(sequence) ?? 0;
}

/** The same for several sequences, in one statement: the first number of each. */
export async function reserveAll(
  database: Database,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const wanted = [...counts].filter(([, count]) => count > 0);
  if (wanted.length === 0) return new Map();
  const taken = await rows<{ name: string; value: number }>(database, {
    sql: RESERVATION,
    values: [JSON.stringify(wanted)],
  });
  const values = new Map(taken.map(({ name, value }) => [name, value]));
  return new Map(
    wanted.map(([sequence, count]) => {
      const value = values.get(sequence);
      if (value === undefined) throw new Error(`the sequence ${sequence} gave no number`);
      return [sequence, value - count + 1];
    }),
  );
}

const RESERVATION = `
  INSERT INTO sequence (name, value) SELECT e.value->>0, e.value->>1 FROM json_each(?1) e WHERE true
  ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING name, value`;

import { type Database, type Statement, batchRows } from "../statement.ts";

/**
 * Takes `count` numbers of a sequence in one statement and returns the first of them. Nobody else ever gets
 * them; those that are not used stay gaps (records.md 9).
 */
export async function reserveNumbers(database: Database, sequence: string, count: number): Promise<number> {
  const firsts = await reserveAll(database, new Map([[sequence, count]]));
  return firsts.get(sequence) ?? 0;
}

/** The same for several sequences, with one statement each, in one round trip: the first number of each. */
export async function reserveAll(
  database: Database,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const wanted = [...counts].filter(([, count]) => count > 0);
  const results = await batchRows(database, wanted.map(reservation));
  return new Map(
    wanted.map(([sequence, count], index) => {
      // The row that the statement returns.
      const [row] = (results[index] ?? []) as { value: number }[];
      if (row === undefined) throw new Error(`the sequence ${sequence} gave no number`);
      return [sequence, row.value - count + 1];
    }),
  );
}

function reservation([sequence, count]: readonly [string, number]): Statement {
  return {
    sql: `INSERT INTO sequence (name, value) VALUES (?1, ?2)
          ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
    values: [sequence, count],
  };
}

import { type Database, rows } from "../statement.ts";

/**
 * Takes `count` numbers of a sequence in one statement and returns the first of them. Nobody else ever gets
 * them; those that are not used stay gaps.
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
  const needed = [...counts].filter(([, count]) => count > 0);
  if (needed.length === 0) return new Map();
  const values = [JSON.stringify(needed)];
  const taken = await rows<{ name: string; value: number }>(database, { sql: RESERVATION, values });
  return new Map(taken.map(({ name, value }) => [name, value - (counts.get(name) ?? 0) + 1]));
}

const RESERVATION = `
  INSERT INTO sequence (name, value) SELECT e.value->>0, e.value->>1 FROM json_each(?1) e WHERE true
  ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING name, value`;

/** Most numbers of a sequence that are taken beyond what one import needs. */
export const NUMBERS_AHEAD_MAX = 32;
/** How many have to wait for that. */
const NUMBERS_AHEAD_FROM = 4;

// Q344: so imports leave gaps, and come out of order.
/**
 * Numbers for new records, by sequence. While many imports wait some are taken ahead, so that one statement
 * serves many of them; otherwise an import takes what it needs. What is not used when the desk goes away is a gap.
 */
export class NumberPool {
  private readonly spare = new Map<string, number[]>();

  /** As many numbers of each sequence as are asked for, ascending; `waiting` others will ask soon. At most one statement. */
  async take(
    database: Database,
    counts: ReadonlyMap<string, number>,
    waiting: number,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const ahead = waiting < NUMBERS_AHEAD_FROM ? 0 : Math.min(waiting, NUMBERS_AHEAD_MAX);
    const missing = [...counts].flatMap(([name, count]): [string, number][] => {
      const lacking = count - this.spareOf(name).length;
      return lacking <= 0 ? [] : [[name, lacking + ahead]];
    });
    // What is there is taken at once, so that nobody else gets it while the statement runs.
    const taken = new Map([...counts].map(([name, count]) => [name, this.spareOf(name).splice(0, count)]));
    const firsts = await reserveAll(database, new Map(missing));
    for (const [name, count] of missing) {
      const first = firsts.get(name) ?? 0;
      const numbers = Array.from({ length: count }, (_one, index) => first + index);
      taken.get(name)?.push(...numbers.splice(0, count - ahead));
      this.spareOf(name).push(...numbers);
    }
    return taken;
  }

  /** Forgets all numbers: somebody may have made records with them, as a load of a dump can. */
  drop(): void {
    this.spare.clear();
  }

  private spareOf(name: string): number[] {
    const known = this.spare.get(name) ?? [];
    this.spare.set(name, known);
    return known;
  }
}

import { type Database, type Statement, firstRow, rows } from "../statement.ts";

export interface SequenceRow {
  readonly name: string;
  /** Highest number given out. */
  readonly value: number;
}

/** Returns the statement of the rows of some sequences. Unused sequences have none. */
export function sequencesStatement(names: readonly string[]): Statement {
  const sql = "SELECT name, value FROM sequence WHERE name IN (SELECT value FROM json_each(?1))";
  return { sql, values: [JSON.stringify(names)] };
}

/** Reads the highest number of a sequence that was given out. */
export async function readSequenceValue(database: Database, name: string): Promise<number> {
  return (await firstRow<SequenceRow>(database, sequencesStatement([name])))?.value ?? 0;
}

const RESERVATION = `
  INSERT INTO sequence (name, value) SELECT e.value->>0, CAST(e.value->>1 AS BIGINT) FROM json_each(?1) e WHERE true
  ON CONFLICT (name) DO UPDATE SET value = sequence.value + excluded.value RETURNING name, value`;

/**
 * Reserves numbers of each sequence, ascending, in one statement. They are never given out again; unused ones leave
 * gaps.
 */
export async function reserveNumbers(
  database: Database,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number[]>> {
  const needed = [...counts].filter(([, count]) => count > 0);
  if (needed.length === 0) return new Map();
  const values = [JSON.stringify(needed)];
  const reserved = await rows<SequenceRow>(database, { sql: RESERVATION, values });
  return new Map(reserved.map(({ name, value }) => [name, numbersUpTo(value, counts.get(name) ?? 0)]));
}

export async function reserveNumber(database: Database, sequence: string): Promise<number> {
  const numbers = await reserveNumbers(database, new Map([[sequence, 1]]));
  return numbers.get(sequence)?.[0] ?? 0;
}

/** Sequence that a change raises itself, from a number that it must still have at the commit. */
export interface RaisedSequence {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Numbers of sequences. Those of raised sequences are not reserved. */
export interface TakenNumbers {
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  readonly raised: readonly RaisedSequence[];
}

/** Takes the numbers that follow the current ones. Needs no statement, but fails if others do the same. */
export function takeNext(
  counts: ReadonlyMap<string, number>,
  current: ReadonlyMap<string, number>,
): TakenNumbers {
  const raised = [...counts].map(([name, count]) => {
    const from = current.get(name) ?? 0;
    return { name, from, to: from + count };
  });
  return { numbers: new Map(raised.map(({ name, from, to }) => [name, numbersUpTo(to, to - from)])), raised };
}

function numbersUpTo(last: number, count: number): number[] {
  return Array.from({ length: count }, (_one, index) => last - count + 1 + index);
}

/**
 * Returns a number for each name in a list of sequences, in order, from the numbers that `take` returns. Throws if there
 * are too few.
 */
export async function assignNumbers(
  names: readonly string[],
  take: (counts: ReadonlyMap<string, number>) => Promise<TakenNumbers>,
): Promise<{ readonly numbers: readonly number[]; readonly raised: readonly RaisedSequence[] }> {
  if (names.length === 0) return { numbers: [], raised: [] };
  const counts = new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
  const { numbers: taken, raised } = await take(counts);
  const next = new Map([...taken].map(([name, numbers]) => [name, numbers.values()]));
  const numbers = names.map((name) => {
    const { value } = next.get(name)?.next() ?? {};
    if (value === undefined) throw new Error(`the sequence ${name} gave too few numbers`);
    return value;
  });
  return { numbers, raised };
}

/** Reserves numbers for records whose keys carry none, by key. */
export async function numberRecords(
  database: Database,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const numbers = await reserveNumbers(database, new Map([["record", keys.length]]));
  return new Map((numbers.get("record") ?? []).map((number, index) => [keys[index] ?? "", number]));
}

/** Maximum number of a sequence's numbers reserved beyond the needs of one import. */
export const NUMBERS_AHEAD_MAX = 32;
/** Number of waiting imports from which numbers are reserved ahead. */
const NUMBERS_AHEAD_FROM = 4;

// Q344: so imports leave gaps, and their numbers come out of order.
/**
 * Pool of numbers for new records, by sequence. While many imports wait, some numbers are reserved ahead, so that one
 * statement serves many imports; otherwise an import reserves what it needs. Unused numbers become gaps when the desk
 * is evicted.
 */
export class NumberPool {
  private readonly spare = new Map<string, number[]>();

  /**
   * Takes the requested numbers of each sequence, ascending; `waiting` further imports are about to follow. If there are
   * none, takes the numbers after the `current` ones without reserving them. At most one statement.
   */
  async take(
    database: Database,
    counts: ReadonlyMap<string, number>,
    { waiting, current }: { waiting: number; current?: ReadonlyMap<string, number> | undefined },
  ): Promise<TakenNumbers> {
    if (
      waiting === 0 &&
      current !== undefined &&
      ![...this.spare.values()].some(({ length }) => length > 0)
    ) {
      return takeNext(counts, current);
    }
    const ahead = waiting < NUMBERS_AHEAD_FROM ? 0 : Math.min(waiting, NUMBERS_AHEAD_MAX);
    const missing = [...counts].flatMap(([name, count]): [string, number][] => {
      const lacking = count - this.spareOf(name).length;
      return lacking <= 0 ? [] : [[name, lacking + ahead]];
    });
    // Numbers in the pool are removed at once, so that no other import gets them while the statement runs.
    const taken = new Map([...counts].map(([name, count]) => [name, this.spareOf(name).splice(0, count)]));
    for (const [name, numbers] of await reserveNumbers(database, new Map(missing))) {
      taken.get(name)?.push(...numbers.splice(0, numbers.length - ahead));
      this.spareOf(name).push(...numbers);
    }
    return { numbers: taken, raised: [] };
  }

  /** Drops all numbers: another writer, such as a dump load, may have created records with them. */
  drop(): void {
    this.spare.clear();
  }

  private spareOf(name: string): number[] {
    const known = this.spare.get(name) ?? [];
    this.spare.set(name, known);
    return known;
  }
}

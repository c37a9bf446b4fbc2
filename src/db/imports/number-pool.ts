import { reserveAll } from "../changes/reserve-numbers.ts";
import type { Database } from "../statement.ts";

/** Most numbers of a sequence that are taken beyond what one import needs. */
export const NUMBERS_AHEAD_MAX = 32;
/** How many have to wait for that. */
export const NUMBERS_AHEAD_FROM = 4;

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

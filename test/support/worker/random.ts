/** Random numbers that are the same in every run. */
export interface Random {
  /** A number in [0, 1). */
  number(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** True in `share` of all cases. */
  chance(share: number): boolean;
  /** The values in another order. */
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** A stream of random numbers (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(number() * bound);
  return {
    number,
    below,
    pick: (values) => values[below(values.length)]!,
    chance: (share) => number() < share,
    shuffled: (values) => {
      const shuffled = [...values];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
  };
}

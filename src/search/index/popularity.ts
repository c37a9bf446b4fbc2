/**
 * Levels of popularity, least first: a work reaches those that its factor (documents/popularity.ts, search.md
 * 4.1) is not below. They are absolute, so that one work can be indexed without a look at the others. Without
 * readers the factor follows from the number of editions: about 12.5 takes two, 15 three, 18 five, 22 ten,
 * 27 twenty, 34 fifty.
 */
export const POPULARITY_LEVELS = [12.5, 15, 18, 22, 27, 34, 42, 55, 75, 100, 140, 200] as const;

/** How many levels a factor reaches: the work has the tokens `p=0` to `p=<levels - 1>`. */
export function popularityLevels(popularity: number): number {
  const first = POPULARITY_LEVELS.findIndex((level) => popularity < level);
  return first === -1 ? POPULARITY_LEVELS.length : first;
}

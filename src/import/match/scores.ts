/** Two records with this many points are the same book. */
export const SAME_BOOK = 875;

/** Points for what two records have in common or not (import.md 16.2, 16.3). */
export const SCORES = {
  shortTitle: { equal: 450, different: 0 },
  date: { neither: 0, oneLacks: -800, equal: 200, near: -25, different: -800 },
  country: { oneLacks: 0, equal: 40, different: -205 },
  isbn: { oneLacks: 0, equal: 85, different: -225 },
  lccn: { oneLacks: 0, equal: 200, different: -320 },
  /** `share` is for all words in common, `ordered` for their order. */
  title: { equal: 600, contained: 350, share: 450, ordered: 50 },
  pages: { equal: 100, equalFew: 50, near: 50, nearFew: 20, different: -225 },
  publisher: { oneLacks: 0, alike: 100, different: -51 },
  authors: { equal: 125, share: 80, ordered: 10, different: -200, neither: 75, oneLacks: -25 },
} as const;

/** Years that two dates may be apart to be near. */
export const NEAR_YEARS = 2;
/** Pages that two counts may be apart to be near, and up to which there are few. */
export const NEAR_PAGES = 10;
/** Titles shorter than this, in characters, are compared word by word only. */
export const LONG_TITLE = 9;
/** Share of words that names must have in common to count. */
export const NAME_SHARE = 0.5;

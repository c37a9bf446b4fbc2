/** Text of the reference that people search. */
export interface SearchedText {
  readonly text: string;
  /** Points of a match: a path counts more than a sentence. */
  readonly points: number;
}

/** Returns the entries that have all words, in the order of their points, then in their own. */
export function searchReference<Entry extends { readonly texts: readonly SearchedText[] }>(
  entries: readonly Entry[],
  q: string,
): readonly Entry[] {
  const words = q
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.:/]+/u)
    .filter(Boolean);
  return entries
    .map((entry) => ({ entry, points: countPoints(entry.texts, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

/** Returns 0 if a word is missing. A whole word counts twice as much as a part of one. */
function countPoints(texts: readonly SearchedText[], words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const best = Math.max(
      ...texts.map(({ text, points }) => {
        const lower = text.toLowerCase();
        if (!lower.includes(word)) return 0;
        return lower.split(/[^\p{L}\p{N}]+/u).includes(word) ? 2 * points : points;
      }),
    );
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

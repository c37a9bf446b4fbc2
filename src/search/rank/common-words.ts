/** How much less a word tells that is in every other title. */
const COMMON_WORD_WEIGHT = 0.2;

const COMMON_WORDS = new Set(
  (
    "a an and are as at be but by for from if in into is it its no not of on or that the their then there these " +
    "they this to was with der die das und ein eine des dem den im von zu le la les l un une de du d et en au aux " +
    "el los las y del al il lo gli i e di da per o os as um uma do dos das na no van het een"
  ).split(" "),
);

/** Share that a word has in the score: what is in most texts tells little (search.md 4.2, idf). */
export function wordWeight(word: string): number {
  return COMMON_WORDS.has(word) ? COMMON_WORD_WEIGHT : 1;
}

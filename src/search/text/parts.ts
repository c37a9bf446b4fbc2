const SIMPLE = /^[a-z]+$/;
/**
 * The parts of folded text: letters with `#` or `+` that end them (`c#`, `c++`), numbers, and single characters
 * of scripts without blanks. A possessive `'s` matches too, so that it can be dropped.
 */
const LETTER = String.raw`[[\p{L}\p{M}]--[[\p{L}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]]]`;
const UNSPACED = String.raw`[[\p{L}\p{M}\p{Nl}\p{No}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]]`;
const ALPHANUMERIC = String.raw`[\p{L}\p{M}\p{N}]`;
const PARTS = new RegExp(
  String.raw`(?<=${LETTER})'s(?!${ALPHANUMERIC})|${LETTER}+(?:[#+]+(?!${ALPHANUMERIC}))?|${UNSPACED}|\p{N}+`,
  "gv",
);
const ASCII_PARTS = /(?<=[a-z])'s(?![a-z0-9])|[a-z]+(?:[#+]+(?![a-z0-9]))?|[0-9]+/g;
const ASCII = /^[\0-\x7f]*$/;
const POSSESSIVE = "'s";

/**
 * Runs of scripts that put no blanks between words, where each character is a word: the characters with the
 * voicing marks of half-width kana, in text as it was written.
 */
export const UNSPACED_CHARACTERS = new RegExp(String.raw`${UNSPACED}[\u3099\u309a\uff9e\uff9f]*`, "gv");

/** Tokens of one folded chunk without blanks, unstemmed (search.md 10.2). */
export function partsOf(folded: string): string[] {
  if (SIMPLE.test(folded)) return [folded];
  const found = folded.match(ASCII.test(folded) ? ASCII_PARTS : PARTS);
  return found === null ? [] : found.filter((part) => part !== POSSESSIVE);
}

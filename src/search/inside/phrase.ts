import { wordsOf } from "../text/words.ts";

/** Words of a phrase beyond this are not looked at. */
export const PHRASE_WORDS_MAX = 50;

const DOUBLE_QUOTES = /["\u201c-\u201f]/gu;
const BLANKS = /\s+/gu;

/**
 * A query of the search inside books as the one phrase that it is, in straight double quotes; empty when there
 * is nothing in it (search.md 7.4). Everything but double quotes and blanks is literal. Idempotent.
 */
export function normalizePhrase(text: string | null | undefined): string {
  const phrase = (text ?? "").replace(DOUBLE_QUOTES, " ").replace(BLANKS, " ").trim();
  return phrase === "" ? "" : `"${phrase}"`;
}

/** The tokens of a text in their order: of a page, or of a phrase. Unstemmed, because phrases are literal. */
export function literalTokens(text: string): string[] {
  return wordsOf(text).flatMap((word) => word.parts);
}

/** Expression of FTS5 that finds the tokens as a phrase. */
export function phraseExpression(tokens: readonly string[]): string {
  return `"${tokens.slice(0, PHRASE_WORDS_MAX).join(" ")}"`;
}

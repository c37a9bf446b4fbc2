import { stem } from "./stem.ts";
import { catenationOf, wordsOf } from "./words.ts";

/** Stands between values, so that no phrase crosses from one into the next. Never a token of a query. */
export const SENTINEL = "␞";

/**
 * What a full-text column stores for a field: tokens joined by blanks, values apart by sentinels. Compounds
 * come once more, written as one word, after the value that they are from (search.md 10.2).
 */
export function indexText(values: readonly string[], { stemmed }: { readonly stemmed: boolean }): string {
  const texts: string[] = [];
  for (const value of values) addValue(texts, value, stemmed);
  return texts.join(` ${SENTINEL} `);
}

function addValue(texts: string[], value: string, stemmed: boolean): void {
  const tokens: string[] = [];
  const compounds: string[] = [];
  for (const word of wordsOf(value)) {
    for (const part of word.parts) tokens.push(stemmed ? stem(part) : part);
    const catenation = catenationOf(word);
    if (catenation !== undefined) compounds.push(stemmed ? stem(catenation) : catenation);
  }
  if (tokens.length > 0) texts.push(tokens.join(" "));
  if (compounds.length > 0) texts.push(compounds.join(" "));
}

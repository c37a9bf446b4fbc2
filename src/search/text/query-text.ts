import { type Word, catenationOf, wordsOf } from "./words.ts";

/** Word of a query. It matches its tokens as a phrase, or one of the other tokens. */
export interface QueryTerm {
  /** Folded and unstemmed tokens: for stemmed columns each one is stemmed. */
  readonly tokens: readonly string[];
  /** Equivalent single tokens, folded and unstemmed: a compound written as one word, or synonyms. */
  readonly others: readonly string[];
}

const SYNONYM_SETS = [
  ["gb", "gib", "gigabyte", "gigabytes"],
  ["mb", "mib", "megabyte", "megabytes"],
  ["television", "televisions", "tv", "tvs"],
] as const;

/** Synonyms by token. */
const SYNONYMS = new Map<string, readonly string[]>([
  ...SYNONYM_SETS.flatMap((set: readonly string[]) =>
    set.map((word): [string, string[]] => [word, set.filter((other) => other !== word)]),
  ),
  ["pixima", ["pixma"]],
]);
const NONE: readonly string[] = [];

/**
 * Returns the words of a query text. A run of characters of a script without blanks (Han, kana, Thai, ...) is one word
 * of as many tokens.
 */
export function queryTerms(text: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  let run: string[] = [];
  let runEnd = -1;
  for (const word of wordsOf(text)) {
    if (!word.unspaced) terms.push(termOf(word));
    else if (word.start === runEnd) run.push(...word.parts);
    else {
      run = [...word.parts];
      terms.push({ tokens: run, others: NONE });
    }
    runEnd = word.unspaced ? word.end : -1;
  }
  return terms;
}

function termOf(word: Word): QueryTerm {
  const { parts } = word;
  const [first = "", ...more] = parts;
  if (more.length === 0) return { tokens: parts, others: SYNONYMS.get(first) ?? NONE };
  const catenation = catenationOf(word);
  return { tokens: parts, others: catenation === undefined ? NONE : [catenation] };
}

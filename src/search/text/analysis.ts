import { memoize } from "./memo.ts";
import { stem } from "./stem.ts";
import { type TextWord, catenationOf, wordsOf } from "./words.ts";

interface Analysis {
  tokens: readonly string[];
  catenations: readonly string[];
  /** Tokens without single characters of scripts without blanks. */
  spaced: readonly string[];
  /** Texts for full-text columns, once they have been made (`toIndexText`). */
  stemmedText: string | undefined;
  plainText: string | undefined;
}

/**
 * Pattern of most texts: words of ASCII letters, or numbers, with a blank between two and only common punctuation after
 * words. A single capital is only at the beginning, so that there are no initials in a row.
 */
const COMMON_TEXT =
  /^(?:[A-Z] )?(?:[A-Za-z]{2,}[,;:!?.]*|[a-z]|[0-9]+)(?: (?:[A-Za-z]{2,}[,;:!?.]*|[a-z]|[0-9]+))*$/;
const PUNCTUATION = /[,;:!?.]+/g;
const NONE: readonly never[] = [];

/** Analysis of a text. Texts recur, as titles of editions or as subjects: they are analysed once. */
export const analysisOf = memoize<Analysis>(
  (text) => (COMMON_TEXT.test(text) ? analyseCommon(text) : analyseAny(text)),
  { size: 5000, longest: 200 },
);

function analyseCommon(text: string): Analysis {
  const tokens = text.toLowerCase().replace(PUNCTUATION, "").split(" ");
  return { tokens, catenations: NONE, spaced: tokens, stemmedText: undefined, plainText: undefined };
}

function analyseAny(text: string): Analysis {
  const tokens: string[] = [];
  const catenations: string[] = [];
  const spaced: string[] = [];
  for (const word of wordsOf(text)) {
    for (const part of word.parts) {
      tokens.push(part);
      if (!word.unspaced) spaced.push(part);
    }
    const catenation = catenationOf(word);
    if (catenation !== undefined) catenations.push(catenation);
  }
  return { tokens, catenations, spaced, stemmedText: undefined, plainText: undefined };
}

/**
 * Separator of values, so that no phrase crosses from one into the next. Never a token of a query. It is an ASCII
 * character, because one beyond Latin-1 makes each text, with all messages that contain it, twice as long in memory.
 */
export const SENTINEL = "=";
const BREAK = ` ${SENTINEL} `;

/** Returns the tokens of a column: values separated by sentinels, compounds repeated as one word. */
export function toIndexText(values: readonly string[], { stemmed }: { stemmed: boolean }): string {
  let whole = "";
  for (const value of values) {
    const text = valueText(value, stemmed);
    if (text !== "") whole += whole === "" ? text : BREAK + text;
  }
  return whole;
}

function valueText(value: string, stemmed: boolean): string {
  const analysis = analysisOf(value);
  if (stemmed) return (analysis.stemmedText ??= joinForms(analysis, stem));
  return (analysis.plainText ??= joinForms(analysis, (token) => token));
}

function joinForms({ tokens, catenations }: Analysis, formOf: (token: string) => string): string {
  const text = tokens.map(formOf).join(" ");
  return catenations.length === 0 ? text : text + BREAK + catenations.map(formOf).join(" ");
}

/** Word of a query. It matches its tokens as a phrase, or one of the other tokens. */
export interface QueryTerm {
  readonly tokens: readonly string[];
  /** Equivalent single tokens, folded and unstemmed: a compound written as one word, or synonyms. */
  readonly others: readonly string[];
}

const SYNONYM_SETS = [
  ["gb", "gib", "gigabyte", "gigabytes"],
  ["mb", "mib", "megabyte", "megabytes"],
  ["television", "televisions", "tv", "tvs"],
] as const;

const SYNONYMS = new Map<string, readonly string[]>([
  ...SYNONYM_SETS.flatMap((set: readonly string[]) =>
    set.map((word): [string, string[]] => [word, set.filter((other) => other !== word)]),
  ),
  ["pixima", ["pixma"]],
]);

/** Returns the words of a query; a run of a script without blanks is one word of several tokens. */
export function queryTermsOf(text: string): QueryTerm[] {
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

function termOf(word: TextWord): QueryTerm {
  const { parts } = word;
  const [first = "", ...more] = parts;
  if (more.length === 0) return { tokens: parts, others: SYNONYMS.get(first) ?? NONE };
  const catenation = catenationOf(word);
  return { tokens: parts, others: catenation === undefined ? NONE : [catenation] };
}

import { remembered } from "./remembered.ts";
import { stem } from "./stem.ts";
import { catenationOf, wordsOf } from "./words.ts";

/** What a text consists of, folded and unstemmed. */
interface Analysis {
  readonly tokens: readonly string[];
  /** Compounds written as one word. */
  readonly catenations: readonly string[];
  /** The tokens that are no single characters of scripts without blanks. */
  readonly spaced: readonly string[];
  /** What full-text columns store, once it has been made (index-text.ts). */
  stemmedText: string | undefined;
  plainText: string | undefined;
}

/**
 * Texts as most are: words of ASCII letters, or numbers, with a blank between two and nothing but common
 * punctuation after words. No capital stands alone but at the beginning, so there are no initials in a row.
 */
const COMMON_TEXT =
  /^(?:[A-Z] )?(?:[A-Za-z]{2,}[,;:!?.]*|[a-z]|[0-9]+)(?: (?:[A-Za-z]{2,}[,;:!?.]*|[a-z]|[0-9]+))*$/;
const PUNCTUATION = /[,;:!?.]+/g;
const NONE: readonly never[] = [];

/** The tokens of a text. Texts recur, as titles of editions or as subjects: they are analysed once. */
export const analysisOf = remembered<Analysis>(
  (text) => (COMMON_TEXT.test(text) ? commonAnalysis(text) : anyAnalysis(text)),
  { size: 5000, longest: 200 },
);

function commonAnalysis(text: string): Analysis {
  const tokens = text.toLowerCase().replace(PUNCTUATION, "").split(" ");
  return { tokens, catenations: NONE, spaced: tokens, stemmedText: undefined, plainText: undefined };
}

function anyAnalysis(text: string): Analysis {
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
 * Stands between values, so that no phrase crosses from one into the next. Never a token of a query. A character of
 * ASCII, because one beyond Latin-1 makes each text, and all that it is sent in, twice as long in memory.
 */
export const SENTINEL = "=";
const BREAK = ` ${SENTINEL} `;

/**
 * What a full-text column stores for a field: tokens joined by blanks, values apart by sentinels. Compounds
 * come once more, written as one word, after the value that they are from.
 */
export function indexText(values: readonly string[], { stemmed }: { readonly stemmed: boolean }): string {
  let whole = "";
  for (const value of values) {
    const text = valueText(value, stemmed);
    if (text !== "") whole += whole === "" ? text : BREAK + text;
  }
  return whole;
}

function valueText(value: string, stemmed: boolean): string {
  const analysis = analysisOf(value);
  if (stemmed) return (analysis.stemmedText ??= textOf(analysis, stem));
  return (analysis.plainText ??= textOf(analysis, asItIs));
}

function textOf({ tokens, catenations }: Analysis, made: (token: string) => string): string {
  const text = tokens.map(made).join(" ");
  return catenations.length === 0 ? text : text + BREAK + catenations.map(made).join(" ");
}

function asItIs(token: string): string {
  return token;
}

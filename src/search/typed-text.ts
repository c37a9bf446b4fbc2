import {
  type Match,
  type TokensMatch,
  conjoinMatches,
  disjoinMatches,
  matchInColumns,
} from "./plan/match.ts";
import { type QueryTerm, queryTermsOf } from "./text/analysis.ts";
import { stem } from "./text/stem.ts";

export interface TypedText {
  readonly whole: readonly QueryTerm[];
  readonly last: QueryTerm;
  readonly beginning: string;
}

/** Maximum number of tokens of a typed text; the rest is ignored. */
const TYPED_TOKENS_MAX = 20;
/** Maximum length of a typed text in characters; the rest is cut off. */
const TYPED_LENGTH_MAX = 500;
/** Minimum length, in characters, of a beginning that may be longer than the stem of the word that it begins. */
const STEMMED_LENGTH_MIN = 5;
/** Minimum length of stems to search for, and the maximum number of characters that they may lack. */
const STEM_LENGTH_MIN = 4;
const STEM_ENDING_LENGTH = 5;

/** Reads a typed text; returns undefined if it has no word. */
export function parseTypedText(text: string): TypedText | undefined {
  let room = TYPED_TOKENS_MAX;
  const terms = queryTermsOf(text.slice(0, TYPED_LENGTH_MAX)).flatMap((term) => {
    const tokens = term.tokens.slice(0, room);
    room -= tokens.length;
    if (tokens.length === term.tokens.length) return [term];
    return tokens.length === 0 ? [] : [{ tokens, others: [] }];
  });
  const last = terms.at(-1);
  const beginning = last?.tokens.at(-1);
  if (last === undefined || beginning === undefined) return undefined;
  return { whole: terms.slice(0, -1), last, beginning };
}

/** Returns true if words with this beginning may have a stem without it. */
export function mayOutgrowStem({ beginning }: TypedText): boolean {
  return beginning.length >= STEMMED_LENGTH_MIN;
}

export interface TypedOptions {
  readonly columns: readonly string[];
  readonly stemmed: boolean;
  /** Words with the beginning of the last typed one, whole and unstemmed. */
  readonly known?: readonly string[];
  /** Possible stems of words with the beginning of the last typed one. */
  readonly stems?: readonly string[];
}

/** Returns a match of all words anywhere in the columns, the last one as a beginning. */
export function matchAllWords(typed: TypedText, options: TypedOptions): Match {
  const { whole, last } = typed;
  // A compound may continue as one word too; synonyms of a beginning do not count.
  const compounds = last.tokens.length > 1 ? last.others : [];
  const [open, ...stems] = endingsOf(typed, options);
  const endings = disjoinMatches([
    matchLastWord(typed, open, options),
    ...stems.map((end) => matchLastWord(typed, end, options)),
    ...compounds.map((token) => matchInColumns(options.columns, [token], true)),
  ]);
  return conjoinMatches([endings, ...whole.map((term) => matchTerm(term, options))]);
}

/** Returns a match of all words in a row at the beginning of a column. */
export function matchStartingWords(typed: TypedText, options: TypedOptions): Match {
  const [open, ...stems] = endingsOf(typed, options);
  const others = stems.map((end) => matchFirstWords(typed, end, options));
  return disjoinMatches([matchFirstWords(typed, open, options), ...others]);
}

/** Returns the part of a match of all words that finds any word with the typed beginning. */
export function matchBeginning(typed: TypedText, options: TypedOptions): Match {
  const [open] = endingsOf(typed, options);
  return matchLastWord(typed, open, options);
}

/** Returns the texts that columns with a match of `matchStartingWords` begin with: `others` end with a whole word and a blank. */
export function startingTextsOf(
  typed: TypedText,
  options: TypedOptions,
): { readonly open: string; readonly others: readonly string[] } {
  const [open, ...others] = endingsOf(typed, options).map((end) =>
    matchFirstWords(typed, end, options).tokens.join(" "),
  );
  return { open: open ?? "", others: others.map((text) => `${text} `) };
}

/** Returns a match of all but the last token, to narrow a single letter; undefined without others. */
export function matchWholeWords({ whole, last }: TypedText, options: TypedOptions): Match | undefined {
  const tokens = last.tokens.slice(0, -1);
  const terms = tokens.length === 0 ? whole : [...whole, { tokens, others: [] }];
  const [first, ...more] = terms.map((term) => matchTerm(term, options));
  return first && conjoinMatches([first, ...more]);
}

/** Returns true if the text is only one letter. */
export function isOneLetter({ whole, last, beginning }: TypedText): boolean {
  return whole.length === 0 && last.tokens.length === 1 && beginning.length === 1;
}

/** Returns stems shorter than the beginning: their matches must be compared with the beginning. */
export function possibleStemsOf({ beginning }: TypedText): string[] {
  const lengths = Array.from({ length: STEM_ENDING_LENGTH }, (_, at) => beginning.length - 1 - at);
  return lengths.filter((length) => length >= STEM_LENGTH_MIN).map((length) => beginning.slice(0, length));
}

interface Ending {
  token: string;
  prefix: boolean;
}

function endingsOf(
  { beginning }: TypedText,
  { stemmed, known = [], stems = [] }: TypedOptions,
): readonly [Ending, ...Ending[]] {
  const open = { token: beginning, prefix: true };
  if (!stemmed) return [open];
  const forms = new Set([...[beginning, ...known].map(stem), ...stems]);
  const others = [...forms].filter((token) => !token.startsWith(beginning));
  return [open, ...others.map((token) => ({ token, prefix: false }))];
}

function matchLastWord({ last }: TypedText, end: Ending, options: TypedOptions): TokensMatch {
  return matchPhrase(last.tokens.slice(0, -1), end, options);
}

function matchFirstWords({ whole, last }: TypedText, end: Ending, options: TypedOptions): TokensMatch {
  const before = [...whole.flatMap(({ tokens }) => tokens), ...last.tokens.slice(0, -1)];
  return { ...matchPhrase(before, end, options), first: true };
}

function matchPhrase(
  before: readonly string[],
  { token, prefix }: Ending,
  { columns, stemmed }: TypedOptions,
): TokensMatch {
  return matchInColumns(columns, [...(stemmed ? before.map(stem) : before), token], prefix);
}

function matchTerm({ tokens, others }: QueryTerm, { columns, stemmed }: TypedOptions): Match {
  const form = (token: string): string => (stemmed ? stem(token) : token);
  return disjoinMatches([
    matchInColumns(columns, tokens.map(form)),
    ...others.map((token) => matchInColumns(columns, [form(token)])),
  ]);
}

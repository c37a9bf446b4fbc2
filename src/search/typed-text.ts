import { type Match, type TokensMatch, allMatch, anyMatch, inColumns } from "./plan/match.ts";
import { type QueryTerm, queryTerms } from "./text/query-text.ts";
import { stem } from "./text/stem.ts";

/** What was typed so far: whole words, and the last one, which may go on. */
export interface TypedText {
  readonly whole: readonly QueryTerm[];
  readonly last: QueryTerm;
  /** Its last token. */
  readonly beginning: string;
}

/** Tokens of a text that is typed in at most; the rest is not looked at. */
const TYPED_TOKENS_MAX = 20;
/** Texts are cut off here before they are looked at, in characters. */
const TYPED_LENGTH_MAX = 500;
/** Beginnings from this length on may be longer than the stem of the word that they begin, in characters. */
const STEMMED_LENGTH_MIN = 5;
/** Stems that are looked for are not shorter, in characters, and not shorter than a beginning by more. */
const STEM_LENGTH_MIN = 4;
const STEM_ENDING_LENGTH = 5;

/** Reads what was typed; undefined when there is no word in it. */
export function typedText(text: string): TypedText | undefined {
  const terms = queryTerms(text.slice(0, TYPED_LENGTH_MAX)).slice(0, TYPED_TOKENS_MAX);
  const last = terms.at(-1);
  const beginning = last?.tokens.at(-1);
  if (last === undefined || beginning === undefined) return undefined;
  return { whole: terms.slice(0, -1), last, beginning };
}

/** True when the words that begin so may have a stem that does not. */
export function mayOutgrowStem({ beginning }: TypedText): boolean {
  return beginning.length >= STEMMED_LENGTH_MIN;
}

/** Where words are looked for, and in which form they stand there. */
export interface TypedOptions {
  /** Full-text columns. */
  readonly columns: readonly string[];
  readonly stemmed: boolean;
  /** Words that begin like the last one typed, whole and unstemmed. */
  readonly known?: readonly string[];
  /** Stems that words which begin like the last one typed may have. */
  readonly stems?: readonly string[];
}

/** All words anywhere in the columns, the last one as a beginning. */
export function allWords(typed: TypedText, options: TypedOptions): Match {
  const { whole, last } = typed;
  const { columns } = options;
  // A compound goes on as one word, too; synonyms of a beginning are none.
  const compounds = last.tokens.length > 1 ? last.others : [];
  const before = last.tokens.slice(0, -1);
  const [open, ...stems] = endings(typed, options);
  const lasts = anyMatch([
    phrase(before, open, options),
    ...stems.map((end) => phrase(before, end, options)),
    ...compounds.map((token) => inColumns(columns, [token], true)),
  ]);
  return allMatch([lasts, ...whole.map((term) => termMatch(term, options))]);
}

/** All words in a row at the beginning of a column. */
export function startingWords(typed: TypedText, options: TypedOptions): Match {
  const { whole, last } = typed;
  const before = [...whole.flatMap(({ tokens }) => tokens), ...last.tokens.slice(0, -1)];
  const begun = (end: Ending): Match => ({ ...phrase(before, end, options), first: true });
  const [open, ...stems] = endings(typed, options);
  return anyMatch([begun(open), ...stems.map(begun)]);
}

/** Everything but the last token: it narrows down what a single letter begins. Undefined when there is no more. */
export function wholeWords({ whole, last }: TypedText, options: TypedOptions): Match | undefined {
  const tokens = last.tokens.slice(0, -1);
  const terms = tokens.length === 0 ? whole : [...whole, { tokens, others: [] }];
  const [first, ...more] = terms.map((term) => termMatch(term, options));
  return first && allMatch([first, ...more]);
}

/** True when there is nothing but one letter. */
export function isOneLetter({ whole, last, beginning }: TypedText): boolean {
  return whole.length === 0 && last.tokens.length === 1 && beginning.length === 1;
}

/**
 * What the stem may be of a word that begins so, if it is shorter than the beginning: what is found by them has to
 * be compared with the beginning itself.
 */
export function possibleStems({ beginning }: TypedText): string[] {
  const lengths = Array.from({ length: STEM_ENDING_LENGTH }, (_, at) => beginning.length - 1 - at);
  return lengths.filter((length) => length >= STEM_LENGTH_MIN).map((length) => beginning.slice(0, length));
}

interface Ending {
  readonly token: string;
  readonly prefix: boolean;
}

/** The last token as it may stand in the columns: a beginning, or the stems of the words that begin so. */
function endings(
  { beginning }: TypedText,
  { stemmed, known = [], stems = [] }: TypedOptions,
): readonly [Ending, ...Ending[]] {
  const open = { token: beginning, prefix: true };
  if (!stemmed) return [open];
  const forms = new Set([...[beginning, ...known].map(stem), ...stems]);
  const others = [...forms].filter((token) => !token.startsWith(beginning));
  return [open, ...others.map((token) => ({ token, prefix: false }))];
}

function phrase(
  before: readonly string[],
  { token, prefix }: Ending,
  { columns, stemmed }: TypedOptions,
): TokensMatch {
  return inColumns(columns, [...(stemmed ? before.map(stem) : before), token], prefix);
}

/** One word: its tokens in a row, or one of the other ways to write it. */
function termMatch({ tokens, others }: QueryTerm, { columns, stemmed }: TypedOptions): Match {
  const form = (token: string): string => (stemmed ? stem(token) : token);
  return anyMatch([
    inColumns(columns, tokens.map(form)),
    ...others.map((token) => inColumns(columns, [form(token)])),
  ]);
}

import { accessTokenOf } from "../indexing/filter-token.ts";
import { queryTermsOf } from "../text/analysis.ts";
import { memoizeByObject } from "../text/memo.ts";
import { stem } from "../text/stem.ts";

const TOKEN_COLUMN = "token";
/** Maximum number of words in a row: FTS5 reads all places of each, as often as it occurs. */
export const PHRASE_WORDS_MAX = 32;

/** Match of full-text rows, as data; `matchTextOf` prints it as an expression of FTS5. */
export type Match =
  /** Tokens in a row in one value of a column; `prefix`: the last may continue; `first`: at its start. */
  | {
      readonly op: "tokens";
      readonly columns: readonly string[];
      readonly tokens: readonly string[];
      readonly prefix: boolean;
      readonly first?: true;
    }
  | { readonly op: "and" | "or"; readonly of: readonly Match[] }
  | { readonly op: "without"; readonly from: Match; readonly less: Match };

export type TokensMatch = Extract<Match, { op: "tokens" }>;

/** Returns a match of tokens in a row in one of some columns, in the form of these columns. */
export function matchInColumns(
  columns: readonly string[],
  tokens: readonly string[],
  prefix = false,
): TokensMatch {
  return { op: "tokens", columns, tokens, prefix };
}

/** Returns a match of an exact value, or of the beginning of one. */
export function matchToken(token: string, prefix = false): Match {
  return matchInColumns([TOKEN_COLUMN], [token], prefix);
}

/** Match of all rows: each has the lowest level of access. FTS5 has no other term for all rows. */
export const EVERY_ROW: Match = matchToken(accessTokenOf(0));

/** Returns a match of the rows that all of one or more matches have. Equal parts come once. */
export function conjoinMatches(matches: readonly [Match, ...Match[]]): Match {
  return combine("and", matches);
}

/** Returns a match of the rows that at least one of one or more matches has. */
export function disjoinMatches(matches: readonly [Match, ...Match[]]): Match {
  return combine("or", matches);
}

/** Returns a match of the rows of `from` without those of `less`. */
export function excludeMatch(from: Match, less: Match): Match {
  // One NOT for all: a chain of them would be as deep as it is long.
  if (from.op === "without") {
    return { op: "without", from: from.from, less: disjoinMatches([from.less, less]) };
  }
  return { op: "without", from, less };
}

/**
 * Returns the expression of FTS5: every token is quoted, every operator has its parentheses, and the deepest part comes
 * first, which costs the parser of FTS5 the least memory. Cached: parts of an expression are parts of many others.
 */
export const matchTextOf = memoizeByObject((match: Match): string => {
  switch (match.op) {
    case "tokens":
      return isExact(match) ? quoteTokens(match) : `{${match.columns.join(" ")}} : ${quoteTokens(match)}`;
    case "without":
      return `${nest(match.from)} NOT ${nest(match.less)}`;
    default: {
      const parts = match.of.toSorted((a, b) => depthOf(b) - depthOf(a));
      return parts.map(nest).join(match.op === "and" ? " AND " : " OR ");
    }
  }
});

/** Returns true for exact values. No text has their tokens, so no column is needed, in a third of the time. */
function isExact({ columns }: TokensMatch): boolean {
  return columns.length === 1 && columns[0] === TOKEN_COLUMN;
}

function nest(match: Match): string {
  return match.op === "tokens" ? matchTextOf(match) : `(${matchTextOf(match)})`;
}

function quoteTokens({ tokens, prefix, first }: TokensMatch): string {
  return `${first ? "^ " : ""}"${tokens.join(" ").replaceAll('"', '""')}"${prefix ? " *" : ""}`;
}

function depthOf(match: Match): number {
  if (match.op === "tokens") return 1;
  const parts = match.op === "without" ? [match.from, match.less] : match.of;
  return 1 + Math.max(...parts.map(depthOf));
}

function combine(op: "and" | "or", matches: readonly [Match, ...Match[]]): Match {
  const flat = matches.flatMap((match) => (match.op === op ? match.of : [match]));
  const distinct = new Map(flat.map((match) => [matchTextOf(match), match]));
  const of = [...distinct.values()];
  const [first] = of;
  return first !== undefined && of.length === 1 ? first : { op, of };
}

export interface SearchColumn {
  readonly name: string;
  readonly stemmed: boolean;
}

/**
 * Returns the match of a word or phrase in one of some columns; undefined if the text has no word. One word may be a
 * compound, which also matches as one word, and it may have synonyms.
 */
export function matchWords(columns: readonly SearchColumn[], text: string): Match | undefined {
  const [first, ...more] = queryTermsOf(text);
  if (first === undefined) return undefined;
  if (more.length > 0)
    return matchTokens(
      columns,
      [first, ...more].flatMap(({ tokens }) => tokens),
    );
  return disjoinMatches([
    matchTokens(columns, first.tokens),
    ...first.others.map((form) => matchTokens(columns, [form])),
  ]);
}

/**
 * Returns the match of words that begin with a text; undefined if it has no word. The last one is not stemmed, so that
 * in stemmed columns `harry*` would miss `harri`: the text also matches as a whole word (Q69).
 */
export function matchPrefix(columns: readonly SearchColumn[], text: string): Match | undefined {
  const tokens = queryTermsOf(text).flatMap((term) => term.tokens);
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  const before = tokens.slice(0, -1);
  const [stemmed, plain] = [
    columns.filter((column) => column.stemmed),
    columns.filter((column) => !column.stemmed),
  ];
  const isUnstemmed = before.every((token) => stem(token) === token);
  const begins = isUnstemmed
    ? [matchInColumns(namesOf(columns), tokens, true)]
    : [
        ...(stemmed.length === 0
          ? []
          : [matchInColumns(namesOf(stemmed), [...before.map(stem), last], true)]),
        ...(plain.length === 0 ? [] : [matchInColumns(namesOf(plain), tokens, true)]),
      ];
  const whole =
    stemmed.length === 0 || stem(last) === last ? [] : [matchInColumns(namesOf(stemmed), tokens.map(stem))];
  const [first, ...others] = [...begins, ...whole];
  return first === undefined ? undefined : disjoinMatches([first, ...others]);
}

/** Maximum number of times that a word occurs in the phrase of a text that is no phrase. */
const REPEATS_MAX = 2;

/**
 * Returns the beginning of words by which a phrase is recognised, so that a text that is searched word by word is never
 * too broad as a phrase.
 */
export function beginPhrase(words: readonly string[]): readonly string[] {
  const timesBefore = (at: number): number => words.slice(0, at).filter((word) => word === words[at]).length;
  const end = words.findIndex((_word, at) => at === PHRASE_WORDS_MAX || timesBefore(at) === REPEATS_MAX);
  return end === -1 ? words : words.slice(0, end);
}

/** Returns the match of one token in any column, unchanged and as a stem: a word of the vocabulary may be either. */
export function matchVocabulary(columns: readonly SearchColumn[], word: string): Match {
  return disjoinMatches([matchInColumns(namesOf(columns), [word]), matchTokens(columns, [word])]);
}

/**
 * Returns the match of tokens in a row, given unstemmed. More than `PHRASE_WORDS_MAX`, as in a long title of a script
 * without blanks, match in parts that share a token with the next one (Q721).
 */
export function matchTokens(columns: readonly SearchColumn[], tokens: readonly string[]): Match {
  if (tokens.length > PHRASE_WORDS_MAX) {
    const first = matchTokens(columns, tokens.slice(0, PHRASE_WORDS_MAX));
    return conjoinMatches([first, matchTokens(columns, tokens.slice(PHRASE_WORDS_MAX - 1))]);
  }
  const stems = tokens.map(stem);
  const stemmed = columns.filter((column) => column.stemmed);
  if (stemmed.length === 0 || stems.every((token, index) => token === tokens[index])) {
    return matchInColumns(namesOf(columns), tokens);
  }
  const plain = columns.filter((column) => !column.stemmed);
  const inStemmed = matchInColumns(namesOf(stemmed), stems);
  return plain.length === 0 ? inStemmed : disjoinMatches([inStemmed, matchInColumns(namesOf(plain), tokens)]);
}

function namesOf(columns: readonly SearchColumn[]): string[] {
  return columns.map(({ name }) => name);
}

/** Returns true if a list of matches is not empty. */
export function isFilled(matches: readonly Match[]): matches is readonly [Match, ...Match[]] {
  return matches.length > 0;
}

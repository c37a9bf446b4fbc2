import { type QueryTerm, queryTerms } from "../text/query-text.ts";
import { stem } from "../text/stem.ts";
import { type Match, anyMatch, inColumns } from "./match.ts";

/** A column of texts. */
export interface SearchColumn {
  readonly name: string;
  /** Its tokens are stemmed (search.md 10.2). */
  readonly stemmed: boolean;
}

/**
 * A word or phrase in one of some columns; undefined when the text has no word. One word may be a compound, which
 * is also found written as one, and it may have synonyms (search.md 10.1, 10.2).
 */
export function textMatch(columns: readonly SearchColumn[], text: string): Match | undefined {
  const [first, ...more] = queryTerms(text);
  if (first === undefined) return undefined;
  if (more.length > 0)
    return tokensMatch(
      columns,
      [first, ...more].flatMap(({ tokens }) => tokens),
    );
  return anyMatch([
    tokensMatch(columns, first.tokens),
    ...otherForms(first).map((form) => tokensMatch(columns, [form])),
  ]);
}

/**
 * Words that begin with a text. The last one is not stemmed, so that in stemmed columns `harry*` would miss
 * `harri`: the text counts as a whole word too (Q69).
 */
export function prefixMatch(columns: readonly SearchColumn[], text: string): Match | undefined {
  const tokens = queryTerms(text).flatMap((term) => term.tokens);
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  const before = tokens.slice(0, -1);
  const [stemmed, plain] = [
    columns.filter((column) => column.stemmed),
    columns.filter((column) => !column.stemmed),
  ];
  const alike = before.every((token) => stem(token) === token);
  const begins = alike
    ? [inColumns(names(columns), tokens, true)]
    : [
        ...(stemmed.length === 0 ? [] : [inColumns(names(stemmed), [...before.map(stem), last], true)]),
        ...(plain.length === 0 ? [] : [inColumns(names(plain), tokens, true)]),
      ];
  const whole =
    stemmed.length === 0 || stem(last) === last ? [] : [inColumns(names(stemmed), tokens.map(stem))];
  const [first, ...others] = [...begins, ...whole];
  return first === undefined ? undefined : anyMatch([first, ...others]);
}

/** One token in any column, as it is and as a stem: a word of the vocabulary, of which it is not known which. */
export function vocabularyMatch(columns: readonly SearchColumn[], word: string): Match {
  return anyMatch([inColumns(names(columns), [word]), tokensMatch(columns, [word])]);
}

/** Tokens in a row, given unstemmed. */
export function tokensMatch(columns: readonly SearchColumn[], tokens: readonly string[]): Match {
  const stems = tokens.map(stem);
  const stemmed = columns.filter((column) => column.stemmed);
  if (stemmed.length === 0 || stems.every((token, index) => token === tokens[index])) {
    return inColumns(names(columns), tokens);
  }
  const plain = columns.filter((column) => !column.stemmed);
  const inStemmed = inColumns(names(stemmed), stems);
  return plain.length === 0 ? inStemmed : anyMatch([inStemmed, inColumns(names(plain), tokens)]);
}

function otherForms({ catenation, synonyms }: QueryTerm): string[] {
  return catenation === undefined ? [...synonyms] : [catenation, ...synonyms];
}

function names(columns: readonly SearchColumn[]): string[] {
  return columns.map(({ name }) => name);
}

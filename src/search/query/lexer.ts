import type { FieldRef, NameScheme } from "./field-names.ts";
import { type PhraseSyntax, type Word, unescapeText, wordOf } from "./syntax.ts";

type Mark = "(" | ")" | "[" | "]" | "{" | "}" | "+" | "-" | "AND" | "OR" | "NOT";

export type Token =
  | (Word & { readonly raw: string })
  | PhraseSyntax
  | { readonly kind: "field"; readonly field: FieldRef }
  | { readonly kind: "boost"; readonly factor: number }
  | { readonly kind: "mark"; readonly mark: Mark };

const BOOST_MAX = 1_000;

const SPACE = /\s+/y;
const MARK = /[()[\]{}+-]/y;
const OPERATORS = new Set(["AND", "OR", "NOT"]);
const BOOST = /\^(\d*\.?\d+)/y;
const PHRASE = /"([^\\"]*(?:\\[^][^\\"]*)*)"/y;
/** Pattern of a word: a quote, a comma, a plus or a minus may be inside, not in front; a backslash escapes. */
const WORD = /(?:[^\s:^(){}[\],"'+\-\\]|\\[^])[^\s:^\\(){}[\]]*(?:\\[^][^\s:^\\(){}[\]]*)*/y;
const WORD_GOES_ON = /[^\s:^\\(){}[\]]*(?:\\[^][^\s:^\\(){}[\]]*)*/y;
const COLON = /\s*:/y;
/** Pattern of the minutes and seconds of a time, after `T` and the hour, with the text up to the next blank. */
const TIME = /:\d{2}(?::\d{2})?[^\s:^\\(){}[\]]*(?:\\[^][^\s:^\\(){}[\]]*)*/y;
const HOUR = /^T\d{2}$/;
const HOUR_LENGTH = "Thh".length;
const ALL = /\*:\*(?![^\s)^])/y;
/** Escapes, and signs of unsupported syntax (regular expressions, `?`, proximity), which are text. */
const ESCAPE_OR_UNOFFERED = /\\[^]|[/?~]/g;

/** Returns the tokens of a query; undefined if a position has a character that cannot begin a token. */
export function tokensOf(text: string, scheme: NameScheme): Token[] | undefined {
  const reader = new TextReader(text);
  const tokens: Token[] = [];
  for (reader.take(SPACE); !reader.isAtEnd; reader.take(SPACE)) {
    const token = markIn(reader) ?? phraseIn(reader) ?? boostIn(reader) ?? wordIn(reader, scheme);
    if (token === undefined) return undefined;
    tokens.push(token);
  }
  return tokens;
}

class TextReader {
  private position = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    const match = expression.exec(this.text);
    if (match !== null) this.position += match[0].length;
    return match;
  }
}

function markIn(reader: TextReader): Token | undefined {
  const mark = reader.take(MARK)?.[0];
  // The expression matches marks only.
  return mark === undefined ? undefined : { kind: "mark", mark: mark as Mark };
}

function phraseIn(reader: TextReader): Token | undefined {
  const written = reader.take(PHRASE)?.[1];
  if (written === undefined) return undefined;
  return { kind: "phrase", text: unescapeText(written) };
}

function boostIn(reader: TextReader): Token | undefined {
  const factor = reader.take(BOOST)?.[1];
  return factor === undefined ? undefined : { kind: "boost", factor: Math.min(Number(factor), BOOST_MAX) };
}

/** Returns a word, an operator, or the name of a field with its colon; other colons are part of the word. */
function wordIn(reader: TextReader, scheme: NameScheme): Token | undefined {
  if (reader.take(ALL) !== null) return { kind: "word", raw: "*:*", parts: ["", ""] };
  let piece = reader.take(WORD)?.[0];
  if (piece === undefined) return undefined;
  const pieces = [piece];
  for (;;) {
    const time = HOUR.test(piece.slice(-HOUR_LENGTH)) ? reader.take(TIME)?.[0] : undefined;
    if (time !== undefined) pieces.push(time);
    if (reader.take(COLON) === null) break;
    const field = pieces.length === 1 ? scheme.resolve(piece) : undefined;
    if (field !== undefined) return { kind: "field", field };
    piece = reader.take(WORD_GOES_ON)?.[0] ?? "";
    pieces.push("\\:", piece);
  }
  const word = pieces.join("");
  // The set has these only.
  if (OPERATORS.has(word)) return { kind: "mark", mark: word as Mark };
  const raw = word.replace(ESCAPE_OR_UNOFFERED, (match) => (match.length > 1 ? match : `\\${match}`));
  return { ...wordOf(raw), raw };
}

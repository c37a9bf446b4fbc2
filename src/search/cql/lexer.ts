import { Diagnostic } from "./diagnostic.ts";

/** Token of a query: a word, quoted text (escapes as written), or a symbol of the grammar. */
export interface Token {
  readonly kind: "word" | "quoted" | "sign" | "end";
  readonly text: string;
}

const BLANK = /\s+/y;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const SIGN = /<=|>=|<>|==|[()=<>/]/y;
const WORD = /[^\s()=<>"/]+/y;

/** Splits a CQL query into tokens, with an `end` token. Throws diagnostic 14 if a quote is not closed. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const matchAt = (expression: RegExp): RegExpExecArray | null => {
      expression.lastIndex = at;
      return expression.exec(text);
    };
    const blank = matchAt(BLANK);
    const quoted = blank === null ? matchAt(QUOTED) : null;
    const sign = quoted === null ? matchAt(SIGN) : null;
    const match = blank ?? quoted ?? sign ?? matchAt(WORD);
    if (match === null) throw new Diagnostic(14, text.slice(at, at + 50));
    at += match[0].length;
    if (blank !== null) continue;
    if (quoted !== null) tokens.push({ kind: "quoted", text: quoted[1] ?? "" });
    else tokens.push({ kind: sign === null ? "word" : "sign", text: match[0] });
  }
  return [...tokens, { kind: "end", text: "" }];
}

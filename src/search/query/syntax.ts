import type { FieldRef } from "./fields.ts";

/** A query as it was written, for the parser and its rewriting steps only. Engines get a `Query`. */
export type Tree =
  | Word
  | Phrase
  | Range
  | Field
  /** Something in parentheses. */
  | { readonly kind: "group"; readonly of: Tree }
  /** Something excluded, or (`+`) required, which everything is anyway. */
  | { readonly kind: "signed"; readonly sign: "NOT" | "-" | "+"; readonly of: Tree }
  /** Something with a factor for its score. */
  | { readonly kind: "boosted"; readonly factor: number; readonly of: Tree }
  /** All of them. The joiner stands before its tree; that of the first is empty. */
  | { readonly kind: "and"; readonly of: readonly Joined[] }
  /** At least one of them. */
  | { readonly kind: "or"; readonly of: readonly Tree[] };

/** A word, with or without wildcards. */
export interface Word {
  readonly kind: "word";
  /** Unescaped texts between wildcards: one for a plain word. */
  readonly parts: readonly string[];
}

/** Words in quotes. */
export interface Phrase {
  readonly kind: "phrase";
  readonly text: string;
}

/** `[a TO b]`; braces leave the end out. */
export interface Range {
  readonly kind: "range";
  /** Null: open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly includesFrom: boolean;
  readonly includesTo: boolean;
}

/** A name with its value, which may be a group. */
export interface Field {
  readonly kind: "field";
  readonly field: FieldRef;
  readonly of: Tree;
}

/** One operand of a sequence, with what was written before it; nothing means AND. */
export interface Joined {
  readonly joiner: "" | "AND" | "OR";
  readonly tree: Tree;
}

const ESCAPED_OR_WILD = /\\([^])|\*/g;
const ESCAPED = /\\([^])/g;

/** A word as written: `foo*` has a wildcard, `foo\*` none. */
export function wordOf(raw: string): Word {
  const parts: string[] = [];
  let part = "";
  let last = 0;
  for (const match of raw.matchAll(ESCAPED_OR_WILD)) {
    part += raw.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[1] === undefined) {
      parts.push(part);
      part = "";
    } else {
      part += match[1];
    }
  }
  parts.push(part + raw.slice(last));
  return wordOfParts(parts);
}

/** The word with this text between its wildcards. */
export function wordOfParts(parts: readonly string[]): Word {
  return { kind: "word", parts };
}

/** A field with its value in parentheses. */
export function fieldTree(name: string, of: Tree): Tree {
  return { kind: "field", field: { name, scope: "any" }, of: { kind: "group", of } };
}

/** Text of a word without wildcards; undefined when it has some. */
export function plainText(word: Word): string | undefined {
  return word.parts.length === 1 ? word.parts[0] : undefined;
}

/** Text without the backslashes that escape. */
export function unescaped(raw: string): string {
  return raw.replace(ESCAPED, "$1");
}

/** Operands of an "all of" that are plain words next to each other; undefined for anything else. */
export function bareTexts(tree: Tree): readonly string[] | undefined {
  if (tree.kind !== "and") return undefined;
  const texts: string[] = [];
  for (const { joiner, tree: operand } of tree.of) {
    const text = operand.kind === "word" ? plainText(operand) : undefined;
    if (text === undefined || joiner !== "") return undefined;
    texts.push(text);
  }
  return texts;
}

/** Signs of the grammar that readers write and do not mean; `SPECIAL` is what this parser would take for more than text. */
const SIGNS = /[[\](){}:"\-+?~^/\\,']/g;
const OPERATORS = /AND|OR|NOT/g;
const SPACES = /\s+/;

/** A text without operators and fields: special characters escaped, operators in lower case, `*` a wildcard still. */
export function fullyEscaped(text: string): string {
  return withSignsEscaped(text).replace(OPERATORS, (operator) => operator.toLowerCase());
}

/** A text whose signs stand for themselves. */
export function withSignsEscaped(text: string): string {
  return text.replace(SIGNS, "\\$&");
}

/** All words of a text, taken as plain words; undefined when there are none. */
export function literalTree(text: string): Tree | undefined {
  const words = fullyEscaped(text)
    .split(SPACES)
    .filter((word) => word !== "")
    .map(wordOf);
  const [first, ...more] = words;
  if (first === undefined || more.length === 0) return first;
  return { kind: "and", of: words.map((tree) => ({ joiner: "", tree })) };
}

import type { FieldRef } from "./field-names.ts";

/** Syntax tree of a query, for the parser and its rewriting steps only. Engines get a `Query`. */
export type Tree =
  | Word
  | PhraseSyntax
  | RangeSyntax
  | FieldSyntax
  | { readonly kind: "group"; readonly of: Tree }
  /** Excluded part, or (`+`) required part; parts are required by default. */
  | { readonly kind: "signed"; readonly sign: "NOT" | "-" | "+"; readonly of: Tree }
  | { readonly kind: "boosted"; readonly factor: number; readonly of: Tree }
  /** Conjunction. The joiner comes before its tree; that of the first is empty. */
  | { readonly kind: "and"; readonly of: readonly JoinedOperand[] }
  | { readonly kind: "or"; readonly of: readonly Tree[] };

export interface Word {
  readonly kind: "word";
  /** Unescaped texts between wildcards: one for a plain word. */
  readonly parts: readonly string[];
}

export interface PhraseSyntax {
  readonly kind: "phrase";
  readonly text: string;
}

/** Range `[a TO b]`; braces exclude the end. */
export interface RangeSyntax {
  readonly kind: "range";
  /** Start of the range; null if open, as for `to`. */
  readonly from: string | null;
  readonly to: string | null;
  readonly includesFrom: boolean;
  readonly includesTo: boolean;
}

/** Name with its value, which may be a group. */
export interface FieldSyntax {
  readonly kind: "field";
  readonly field: FieldRef;
  readonly of: Tree;
}

/** Operand of a sequence, with the operator before it; none means AND. */
export interface JoinedOperand {
  readonly joiner: "" | "AND" | "OR";
  readonly tree: Tree;
}

const ESCAPED_OR_WILD = /\\([^])|\*/g;
const ESCAPED = /\\([^])/g;

/** Returns a word from its written form: `foo*` has a wildcard, `foo\*` none. */
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

/** Returns the word with these texts between its wildcards. */
export function wordOfParts(parts: readonly string[]): Word {
  return { kind: "word", parts };
}

/** Returns a field with its value in parentheses. */
export function fieldTree(name: string, of: Tree): Tree {
  return { kind: "field", field: { name, scope: "any" }, of: { kind: "group", of } };
}

/** Returns a tree that matches if any of some trees does. */
export function anyTree(trees: readonly Tree[]): Tree {
  const [first, ...more] = trees;
  return first !== undefined && more.length === 0 ? first : { kind: "or", of: trees };
}

/** Returns the text of a word without wildcards; undefined for other words. */
export function plainTextOf(word: Word): string | undefined {
  return word.parts.length === 1 ? word.parts[0] : undefined;
}

/** Returns the text without its escaping backslashes. */
export function unescapeText(raw: string): string {
  return raw.replace(ESCAPED, "$1");
}

/** Returns the plain words of a conjunction without operators; undefined for other trees. */
export function bareTextsOf(tree: Tree): readonly string[] | undefined {
  if (tree.kind !== "and") return undefined;
  const texts: string[] = [];
  for (const { joiner, tree: operand } of tree.of) {
    const text = operand.kind === "word" ? plainTextOf(operand) : undefined;
    if (text === undefined || joiner !== "") return undefined;
    texts.push(text);
  }
  return texts;
}

const SIGNS = /[[\](){}:"\-+?~^/\\,']/g;
const OPERATORS = /AND|OR|NOT/g;
const SPACES = /\s+/;

/** Escapes signs and lower-cases operators of a text; `*` stays a wildcard. */
export function escapeText(text: string): string {
  return escapeSigns(text).replace(OPERATORS, (operator) => operator.toLowerCase());
}

/** Returns a text with its signs escaped. */
export function escapeSigns(text: string): string {
  return text.replace(SIGNS, "\\$&");
}

/** Returns all words of a text, as plain words; undefined if there are none. */
export function literalTree(text: string): Tree | undefined {
  const words = escapeText(text)
    .split(SPACES)
    .filter((word) => word !== "")
    .map(wordOf);
  const [first, ...more] = words;
  if (first === undefined || more.length === 0) return first;
  return { kind: "and", of: words.map((tree) => ({ joiner: "", tree })) };
}

/** Returns the words and phrases without a field that are not excluded, unescaped, each once, in order. */
export function freeWordsOf(tree: Tree): string[] {
  const words = new Set<string>();
  const visit = (part: Tree, isExcluded: boolean): void => {
    switch (part.kind) {
      case "word":
      case "phrase": {
        const text = part.kind === "word" ? plainTextOf(part) : part.text;
        if (!isExcluded && text !== undefined && text !== "") words.add(text);
        return;
      }
      case "and":
        for (const { tree: operand } of part.of) visit(operand, isExcluded);
        return;
      case "or":
        for (const operand of part.of) visit(operand, isExcluded);
        return;
      case "signed":
        visit(part.of, part.sign === "+" ? isExcluded : !isExcluded);
        return;
      case "group":
      case "boosted":
        visit(part.of, isExcluded);
        return;
      case "field":
      case "range":
    }
  };
  visit(tree, false);
  return [...words];
}

/** Returns true if any part of a tree has a field. */
export function namesField(tree: Tree): boolean {
  switch (tree.kind) {
    case "field":
      return true;
    case "word":
    case "phrase":
    case "range":
      return false;
    case "and":
      return tree.of.some(({ tree: operand }) => namesField(operand));
    case "or":
      return tree.of.some(namesField);
    default:
      return namesField(tree.of);
  }
}

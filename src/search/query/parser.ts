import type { Looseness, NameScheme } from "./field-names.ts";
import { type Token, tokensOf } from "./lexer.ts";
import { SEARCH_TEXT_LENGTH_MAX, SYNTAX_DEPTH_MAX } from "./query.ts";
import { type JoinedOperand, type Tree, anyTree, literalTree, unescapeText } from "./syntax.ts";

/**
 * Returns operands in which a field whose value is one bare word takes the bare words after it, with the operators
 * between them, as one group: `title:foo OR bar baz` is `title:(foo OR bar baz)` (Q51).
 */
function extendGreedyFields(operands: readonly JoinedOperand[]): JoinedOperand[] {
  const bound: JoinedOperand[] = [];
  let taken = 0;
  for (const [index, { joiner, tree }] of operands.entries()) {
    if (index < taken) continue;
    const words = tree.kind === "field" && tree.of.kind === "word" ? wordsAfter(operands, index + 1) : [];
    bound.push({ joiner, tree: words.length === 0 ? tree : addWords(tree, words) });
    taken = index + 1 + words.length;
  }
  return bound;
}

/** Returns a sequence by precedence: AND, or no operator between two operands, binds closer than OR (Q47). */
function sequenceTree(operands: readonly JoinedOperand[]): Tree {
  return anyTree(alternativesOf(operands, ["OR"]));
}

function alternativesOf(
  operands: readonly JoinedOperand[],
  between: readonly JoinedOperand["joiner"][],
): Tree[] {
  const alternatives: JoinedOperand[][] = [];
  for (const { joiner, tree } of operands) {
    const current = alternatives.at(-1);
    if (current === undefined || between.includes(joiner)) alternatives.push([{ joiner: "", tree }]);
    else current.push({ joiner, tree });
  }
  return alternatives.map(allTree);
}

/**
 * Returns a sequence in which operands with a sign must hold, with `least` of the others; at least one unless an
 * operand is required.
 */
function looseTree(operands: readonly JoinedOperand[], least: Looseness["least"]): Tree {
  const trees = alternativesOf(operands, ["OR", ""]);
  const [signed, others] = [true, false].map((isSigned) =>
    trees.filter(({ kind }) => (kind === "signed") === isSigned),
  );
  if (signed === undefined || others === undefined || others.length === 0) return conjoin(trees);
  const lowest = signed.some((tree) => tree.kind === "signed" && tree.sign === "+") ? 0 : 1;
  const count = Math.max(lowest, least?.(others.length) ?? lowest);
  const required = count === 0 ? [] : [anyTree(combinationsOf(others, count).map(conjoin))];
  return conjoin([...signed, ...required]);
}

function combinationsOf(trees: readonly Tree[], count: number): Tree[][] {
  if (count === 1) return trees.map((tree) => [tree]);
  if (trees.length <= count) return trees.length === count ? [[...trees]] : [];
  return trees.flatMap((tree, at) =>
    combinationsOf(trees.slice(at + 1), count - 1).map((chosen) => [tree].concat(chosen)),
  );
}

function conjoin(trees: readonly Tree[]): Tree {
  return allTree(trees.map((tree) => ({ joiner: "", tree })));
}

function wordsAfter(operands: readonly JoinedOperand[], start: number): readonly JoinedOperand[] {
  let end = start;
  while (operands[end]?.tree.kind === "word") end += 1;
  return operands.slice(start, end);
}

function addWords(tree: Tree, words: readonly JoinedOperand[]): Tree {
  if (tree.kind !== "field") return tree;
  const value: JoinedOperand = { joiner: "", tree: tree.of };
  return { ...tree, of: { kind: "group", of: sequenceTree([value, ...words]) } };
}

function allTree(operands: readonly JoinedOperand[]): Tree {
  const [first, ...more] = operands;
  return first !== undefined && more.length === 0 ? first.tree : { kind: "and", of: operands };
}

type ParseFailure = "grammar" | "depth";

/** Parses a query: unary signs bind closest, then AND and juxtaposition, then OR. */
export function parseSyntax(text: string, scheme: NameScheme): Tree | ParseFailure {
  const tokens = tokensOf(text, scheme);
  return tokens === undefined ? "grammar" : new Parser(tokens, scheme).parse();
}

/** Recursive-descent parser. Methods return undefined if the grammar is broken or nested too deep. */
class Parser {
  private position = 0;
  private isTooDeep = false;
  private readonly tokens: readonly Token[];
  private readonly scheme: NameScheme;

  constructor(tokens: readonly Token[], scheme: NameScheme) {
    this.tokens = tokens;
    this.scheme = scheme;
  }

  parse(): Tree | ParseFailure {
    const tree = this.parseSequence(0);
    if (tree !== undefined && this.position === this.tokens.length) return tree;
    return this.isTooDeep ? "depth" : "grammar";
  }

  private parseSequence(depth: number): Tree | undefined {
    const operands: JoinedOperand[] = [];
    do {
      const joiner = operands.length === 0 ? "" : this.takeJoiner();
      const tree = this.parseOperand(depth);
      if (tree === undefined) return undefined;
      operands.push({ joiner, tree });
    } while (this.position < this.tokens.length && !this.isMark(")"));
    const { isGreedy, loose } = this.scheme;
    const least = depth === 0 ? loose?.least : undefined;
    if (least !== undefined || loose?.isAnyEnough) return looseTree(operands, least);
    return sequenceTree(isGreedy ? extendGreedyFields(operands) : operands);
  }

  private takeJoiner(): JoinedOperand["joiner"] {
    if (this.takeMark("AND")) return "AND";
    return this.takeMark("OR") ? "OR" : "";
  }

  private parseOperand(depth: number): Tree | undefined {
    if (depth > SYNTAX_DEPTH_MAX) {
      this.isTooDeep = true;
      return undefined;
    }
    const token = this.tokens[this.position];
    this.position += 1;
    if (token?.kind === "word" || token?.kind === "phrase") return this.parseBoost(token);
    if (token?.kind === "field") {
      const of = this.parseOperand(depth + 1);
      return of === undefined ? undefined : { kind: "field", field: token.field, of };
    }
    return token?.kind === "mark" ? this.parseMarked(token.mark, depth) : undefined;
  }

  private parseMarked(mark: string, depth: number): Tree | undefined {
    if (mark === "NOT" || mark === "-" || mark === "+") {
      const of = this.parseOperand(depth + 1);
      return of === undefined ? undefined : { kind: "signed", sign: mark, of };
    }
    if (mark === "(") return this.parseGroup(depth);
    return mark === "[" || mark === "{" ? this.parseRange(mark === "[") : undefined;
  }

  private parseGroup(depth: number): Tree | undefined {
    const of = this.parseSequence(depth + 1);
    if (of === undefined || !this.takeMark(")")) return undefined;
    return this.parseBoost({ kind: "group", of });
  }

  private parseRange(includesFrom: boolean): Tree | undefined {
    const from = this.parseRangeEnd();
    const between = this.tokens[this.position];
    if (from === undefined || between?.kind !== "word" || between.raw !== "TO") return undefined;
    this.position += 1;
    const to = this.parseRangeEnd();
    const includesTo = this.takeMark("]");
    if (to === undefined || (!includesTo && !this.takeMark("}"))) return undefined;
    return this.parseBoost({ kind: "range", from, to, includesFrom, includesTo });
  }

  /** Returns one end of a range; null if it is open. */
  private parseRangeEnd(): string | null | undefined {
    const sign = this.takeMark("-") ? "-" : "";
    const token = this.tokens[this.position];
    if (token?.kind !== "word" && token?.kind !== "phrase") return undefined;
    this.position += 1;
    if (token.kind === "phrase") return sign + token.text;
    return token.raw === "*" ? null : sign + unescapeText(token.raw);
  }

  private parseBoost(tree: Tree): Tree {
    const token = this.tokens[this.position];
    if (token?.kind !== "boost") return tree;
    this.position += 1;
    return { kind: "boosted", factor: token.factor, of: tree };
  }

  private isMark(mark: string): boolean {
    const token = this.tokens[this.position];
    return token?.kind === "mark" && token.mark === mark;
  }

  private takeMark(mark: string): boolean {
    const isThere = this.isMark(mark);
    if (isThere) this.position += 1;
    return isThere;
  }
}

type TextTree =
  | { readonly kind: "empty" }
  | { readonly kind: "too-complex" }
  | { readonly kind: "tree"; readonly tree: Tree; readonly isLiteral: boolean };

/** Parses a text; one that breaks the grammar is read as plain words. */
export function parseText(text: string, scheme: NameScheme): TextTree {
  if (text.length > SEARCH_TEXT_LENGTH_MAX) return { kind: "too-complex" };
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "empty" };
  const parsed = parseSyntax(trimmed, scheme);
  if (parsed === "depth") return { kind: "too-complex" };
  if (parsed !== "grammar") return { kind: "tree", tree: parsed, isLiteral: false };
  const tree = literalTree(trimmed);
  return tree === undefined ? { kind: "empty" } : { kind: "tree", tree, isLiteral: true };
}

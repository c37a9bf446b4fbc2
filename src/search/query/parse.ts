import type { FieldScheme } from "./fields.ts";
import { sequenceTree, withGreedyFields } from "./greedy.ts";
import { type Token, tokensOf } from "./lexer.ts";
import { SYNTAX_DEPTH_MAX } from "./limits.ts";
import { type Joined, type RangeEnd, type Tree, unescaped } from "./syntax.ts";

/** Why a text has no tree. */
export type ParseFailure = "grammar" | "depth";

/** Parses the grammar of search.md 3.1: unary signs bind closest, then AND and juxtaposition, then OR. */
export function parseSyntax(text: string, scheme: FieldScheme): Tree | ParseFailure {
  const tokens = tokensOf(text, scheme);
  return tokens === undefined ? "grammar" : new Parser(tokens, scheme.isGreedy).parse();
}

/** Recursive descent. Methods return undefined when the grammar is broken or followed too deep. */
class Parser {
  private position = 0;
  private isTooDeep = false;
  private readonly tokens: readonly Token[];
  private readonly isGreedy: boolean;

  constructor(tokens: readonly Token[], isGreedy: boolean) {
    this.tokens = tokens;
    this.isGreedy = isGreedy;
  }

  parse(): Tree | ParseFailure {
    const tree = this.sequence(0);
    if (tree !== undefined && this.position === this.tokens.length) return tree;
    return this.isTooDeep ? "depth" : "grammar";
  }

  private sequence(depth: number): Tree | undefined {
    const operands: Joined[] = [];
    do {
      const joiner = operands.length === 0 ? "" : this.joiner();
      const tree = this.operand(depth);
      if (tree === undefined) return undefined;
      operands.push({ joiner, tree });
    } while (this.position < this.tokens.length && !this.isMark(")"));
    return sequenceTree(this.isGreedy ? withGreedyFields(operands) : operands);
  }

  private joiner(): Joined["joiner"] {
    if (this.takeMark("AND")) return "AND";
    return this.takeMark("OR") ? "OR" : "";
  }

  private operand(depth: number): Tree | undefined {
    if (depth > SYNTAX_DEPTH_MAX) {
      this.isTooDeep = true;
      return undefined;
    }
    const token = this.tokens[this.position];
    this.position += 1;
    if (token?.kind === "word" || token?.kind === "phrase") return this.boosted(token);
    if (token?.kind === "field") {
      const of = this.operand(depth + 1);
      return of === undefined ? undefined : { kind: "field", field: token.field, of };
    }
    return token?.kind === "mark" ? this.marked(token.mark, depth) : undefined;
  }

  private marked(mark: string, depth: number): Tree | undefined {
    if (mark === "NOT" || mark === "-" || mark === "+") {
      const of = this.operand(depth + 1);
      return of === undefined ? undefined : { kind: "signed", sign: mark, of };
    }
    if (mark === "(") return this.group(depth);
    return mark === "[" || mark === "{" ? this.range(mark === "[") : undefined;
  }

  private group(depth: number): Tree | undefined {
    const of = this.sequence(depth + 1);
    if (of === undefined || !this.takeMark(")")) return undefined;
    return this.boosted({ kind: "group", of });
  }

  private range(includesFrom: boolean): Tree | undefined {
    const from = this.rangeEnd();
    const between = this.tokens[this.position];
    if (from === undefined || between?.kind !== "word" || between.raw !== "TO") return undefined;
    this.position += 1;
    const to = this.rangeEnd();
    const includesTo = this.takeMark("]");
    if (to === undefined || (!includesTo && !this.takeMark("}"))) return undefined;
    return this.boosted({ kind: "range", from, to, includesFrom, includesTo });
  }

  private rangeEnd(): RangeEnd | undefined {
    const sign = this.takeMark("-") ? "-" : "";
    const token = this.tokens[this.position];
    if (token?.kind !== "word" && token?.kind !== "phrase") return undefined;
    this.position += 1;
    if (token.kind === "phrase") return { raw: `${sign}"${token.raw}"`, text: sign + token.text };
    return { raw: sign + token.raw, text: token.raw === "*" ? null : sign + unescaped(token.raw) };
  }

  private boosted(tree: Tree): Tree {
    const token = this.tokens[this.position];
    if (token?.kind !== "boost") return tree;
    this.position += 1;
    return { kind: "boosted", raw: token.raw, factor: token.factor, of: tree };
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

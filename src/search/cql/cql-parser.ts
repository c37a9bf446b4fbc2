import { QUERY_LEAVES_MAX, SEARCH_TEXT_LENGTH_MAX, SYNTAX_DEPTH_MAX } from "../query/query.ts";
import { unescapeText } from "../query/syntax.ts";
import { type CqlName, CONTEXT_SETS, CQL_SET } from "./cql-indexes.ts";
import { Diagnostic } from "./diagnostic.ts";

/** Token of a query: a word, quoted text (escapes as written), or a symbol of the grammar. */
interface CqlToken {
  kind: "word" | "quoted" | "sign" | "end";
  text: string;
}

const BLANK = /\s+/y;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const SIGN = /<=|>=|<>|==|[()=<>/]/y;
const WORD = /[^\s()=<>"/]+/y;

/** Splits a CQL query into tokens, with an `end` token. Throws diagnostic 14 if a quote is not closed. */
function cqlTokensOf(text: string): CqlToken[] {
  const tokens: CqlToken[] = [];
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

export interface CqlModifier {
  readonly name: CqlName;
  readonly comparison?: { readonly sign: string; readonly value: string };
}

export interface CqlClause {
  readonly kind: "clause";
  readonly index: CqlName;
  readonly relation: CqlName;
  readonly modifiers: readonly CqlModifier[];
  /** Term with masking characters and escapes as written. */
  readonly term: string;
}

export interface CqlBoolean {
  readonly kind: "boolean";
  readonly operator: string;
  readonly modifiers: readonly CqlModifier[];
  readonly left: CqlNode;
  readonly right: CqlNode;
}

export type CqlNode = CqlClause | CqlBoolean;

export interface CqlSortKey {
  readonly index: CqlName;
  readonly modifiers: readonly CqlModifier[];
}

interface CqlQuery {
  root: CqlNode;
  sort: readonly CqlSortKey[];
}

const COMPARISONS = new Set(["=", "==", "<", ">", "<=", ">=", "<>"]);
const BOOLEANS = new Set(["and", "or", "not", "prox"]);
const SORT_BY = "sortby";

type Scope = ReadonlyMap<string, string>;

/**
 * Parses CQL 1.2, which SRU 2.0 uses unchanged: https://www.loc.gov/standards/sru/cql/spec.html. Throws a `Diagnostic`:
 * 10 for syntax errors, 12, 13, 14, 15 and 38.
 */
export function parseCql(text: string): CqlQuery {
  if (text.length > SEARCH_TEXT_LENGTH_MAX) throw new Diagnostic(12, String(SEARCH_TEXT_LENGTH_MAX));
  return new Parser(cqlTokensOf(text)).parse();
}

/** Maximum number of declared prefixes: every clause has a copy of the ones in scope. */
const PREFIXES_MAX = 20;

class Parser {
  readonly #tokens: readonly CqlToken[];
  #at = 0;
  #clauses = 0;

  constructor(tokens: readonly CqlToken[]) {
    this.#tokens = tokens;
  }

  parse(): CqlQuery {
    const scope = this.#parsePrefixes(new Map());
    const root = this.#parseQuery(scope, 0);
    const sort = this.#isWord(SORT_BY) ? this.#parseSortKeys(scope) : [];
    const { kind, text } = this.#next;
    if (kind !== "end") throw new Diagnostic(text === ")" ? 13 : 10, text);
    return { root, sort };
  }

  get #next(): CqlToken {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #isSign(text: string): boolean {
    return this.#next.kind === "sign" && this.#next.text === text;
  }

  #isWord(name: string): boolean {
    return this.#next.kind === "word" && this.#next.text.toLowerCase() === name;
  }

  #take(): CqlToken {
    const token = this.#next;
    this.#at += 1;
    return token;
  }

  /** Takes any word or quoted text, even a reserved word if the grammar allows nothing else. */
  #takeText(): string {
    const { kind, text } = this.#take();
    if (kind === "word" || kind === "quoted") return text;
    throw new Diagnostic(10, kind === "end" ? "the query ends too early" : text);
  }

  #parsePrefixes(outer: Scope): Scope {
    let scope = outer;
    while (this.#isSign(">")) {
      this.#take();
      const first = unescapeText(this.#takeText());
      const isNamed = this.#isSign("=");
      if (isNamed) this.#take();
      const uri = isNamed ? unescapeText(this.#takeText()) : first;
      scope = new Map([...scope, [isNamed ? first.toLowerCase() : "", uri]]);
      if (scope.size > PREFIXES_MAX) throw new Diagnostic(15, `more than ${PREFIXES_MAX} prefixes`);
    }
    return scope;
  }

  #parseQuery(outer: Scope, depth: number): CqlNode {
    const scope = this.#parsePrefixes(outer);
    let left = this.#parseClause(scope, depth);
    while (this.#next.kind === "word" && BOOLEANS.has(this.#next.text.toLowerCase())) {
      const operator = this.#take().text.toLowerCase();
      const modifiers = this.#parseModifiers(scope);
      left = { kind: "boolean", operator, modifiers, left, right: this.#parseClause(scope, depth) };
    }
    return left;
  }

  #parseClause(scope: Scope, depth: number): CqlNode {
    if (this.#isSign("(")) {
      if (depth >= SYNTAX_DEPTH_MAX) throw new Diagnostic(13, `more than ${SYNTAX_DEPTH_MAX} in each other`);
      this.#take();
      const inner = this.#parseQuery(scope, depth + 1);
      if (!this.#isSign(")")) throw new Diagnostic(this.#next.kind === "end" ? 13 : 10, this.#next.text);
      this.#take();
      return inner;
    }
    this.#clauses += 1;
    if (this.#clauses > QUERY_LEAVES_MAX) throw new Diagnostic(38, String(QUERY_LEAVES_MAX - 1));
    const first = this.#takeText();
    const relation = this.#parseRelation(scope);
    if (relation === undefined) {
      return { kind: "clause", index: SERVER_CHOICE, relation: EQUALS, modifiers: [], term: first };
    }
    const modifiers = this.#parseModifiers(scope);
    return { kind: "clause", index: nameOf(first, scope), relation, modifiers, term: this.#takeText() };
  }

  /** Parses the relation between an index and a term. Returns undefined if the text before it is the term itself. */
  #parseRelation(scope: Scope): CqlName | undefined {
    const { kind, text } = this.#next;
    const isReserved = kind === "word" && [...BOOLEANS, SORT_BY].includes(text.toLowerCase());
    if (kind === "end" || isReserved) return undefined;
    if (kind === "sign") {
      if (!COMPARISONS.has(text)) return undefined;
      this.#take();
      return { set: CQL_SET, name: text, written: text };
    }
    this.#take();
    return nameOf(text, scope, CQL_SET);
  }

  #parseModifiers(scope: Scope): CqlModifier[] {
    const modifiers: CqlModifier[] = [];
    while (this.#isSign("/")) {
      this.#take();
      const name = nameOf(this.#takeText(), scope, CQL_SET);
      const { kind, text: sign } = this.#next;
      const isCompared = kind === "sign" && COMPARISONS.has(sign);
      if (isCompared) this.#take();
      modifiers.push(
        isCompared ? { name, comparison: { sign, value: unescapeText(this.#takeText()) } } : { name },
      );
    }
    return modifiers;
  }

  #parseSortKeys(scope: Scope): CqlSortKey[] {
    this.#take();
    const keys: CqlSortKey[] = [];
    do keys.push({ index: nameOf(this.#takeText(), scope), modifiers: this.#parseModifiers(scope) });
    while (this.#next.kind !== "end");
    return keys;
  }
}

const SERVER_CHOICE: CqlName = { set: CQL_SET, name: "serverchoice", written: "cql.serverChoice" };
const EQUALS: CqlName = { set: CQL_SET, name: "=", written: "=" };

/** Parses a name. Without a prefix it belongs to `defaultSet`, or else to the default set of the query. */
function nameOf(text: string, scope: Scope, defaultSet?: string): CqlName {
  const written = unescapeText(text);
  const lower = written.toLowerCase();
  const dot = lower.indexOf(".");
  // Relations and modifiers without a prefix always belong to CQL, regardless of the query's default set for indexes.
  if (dot === -1) return { set: defaultSet ?? scope.get(""), name: lower, written };
  const prefix = lower.slice(0, dot);
  const set = scope.get(prefix) ?? CONTEXT_SETS.get(prefix);
  if (set === undefined) throw new Diagnostic(15, prefix);
  return { set, name: lower.slice(dot + 1), written };
}

/** Parses an index name in `sortKeys` of SRU, which is outside of the query. */
export function parseIndexName(text: string): CqlName {
  return nameOf(text, new Map());
}

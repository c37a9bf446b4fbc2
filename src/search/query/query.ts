/** Query in the form for engines: fields at the leaves, aliases and values normalised. */
export type Query =
  | { readonly op: "all" }
  | { readonly op: "none" }
  | { readonly op: "and" | "or"; readonly of: readonly Query[] }
  | { readonly op: "not"; readonly of: Query }
  | Leaf;

export interface Leaf {
  readonly op: "match";
  /** Name of an index field; null for the default fields of the scheme. */
  readonly field: string | null;
  readonly value: Value;
  /** Factor of the clause's text score; it never affects the matches. */
  readonly boost: number;
}

/** Condition of a leaf. Texts are unescaped, and not analysed yet. */
export type Value =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "phrase"; readonly text: string }
  /** Literal parts between wildcards: `foo*` is `["foo", ""]`, `*B*` is `["", "B", ""]`. */
  | { readonly kind: "pattern"; readonly parts: readonly string[] }
  | { readonly kind: "exists" }
  /** Null is an open end. */
  | {
      readonly kind: "range";
      readonly from: string | null;
      readonly to: string | null;
      readonly includesFrom: boolean;
      readonly includesTo: boolean;
    };

export const ALL: Query = { op: "all" };
export const NONE: Query = { op: "none" };

/** Returns a leaf that matches a value exactly: a filter, or a word of a field. */
export function equals(field: string, text: string): Leaf {
  return { op: "match", field, value: { kind: "phrase", text }, boost: 1 };
}

/** Returns a leaf with an inclusive range; null is an open end. */
export function between(field: string, from: string | null, to: string | null): Leaf {
  return {
    op: "match",
    field,
    value: { kind: "range", from, to, includesFrom: true, includesTo: true },
    boost: 1,
  };
}

/** Returns the conjunction of some queries; without any: everything. */
export function allOf(queries: readonly Query[]): Query {
  const wanted = queries.filter((query) => query.op !== "all");
  const [first, ...more] = wanted;
  if (first === undefined) return ALL;
  return more.length === 0 ? first : { op: "and", of: wanted };
}

/** Returns the disjunction of some queries; without any: nothing. */
export function anyOf(queries: readonly Query[]): Query {
  const [first, ...more] = queries;
  if (first === undefined) return NONE;
  return more.length === 0 ? first : { op: "or", of: queries };
}

/** Returns the negation of a query. */
export function not(query: Query): Query {
  return { op: "not", of: query };
}

/** Returns the conditions of a query, with those under NOT. */
export function leavesOf(query: Query): Leaf[] {
  if (query.op === "and" || query.op === "or") return query.of.flatMap(leavesOf);
  if (query.op === "not") return leavesOf(query.of);
  return query.op === "match" ? [query] : [];
}

/** Returns the query with every condition replaced by `change`. */
export function mapLeaves(query: Query, change: (leaf: Leaf) => Query): Query {
  if (query.op === "match") return change(query);
  if (query.op === "not") return not(mapLeaves(query.of, change));
  if (query.op === "all" || query.op === "none") return query;
  return { op: query.op, of: query.of.map((part) => mapLeaves(part, change)) };
}

/** Returns true if a query excludes anything. */
export function hasNot(query: Query): boolean {
  if (query.op === "and" || query.op === "or") return query.of.some(hasNot);
  return query.op === "not";
}

/** Returns true if a value lies in a range; `read` converts its ends. Invalid bounds contain nothing. */
export function isInRange<Bound>(
  value: Bound,
  { from, to, includesFrom, includesTo }: Extract<Value, { kind: "range" }>,
  read: (text: string) => Bound,
): boolean {
  const isAbove = from === null || value > read(from) || (includesFrom && value === read(from));
  return isAbove && (to === null || value < read(to) || (includesTo && value === read(to)));
}

/** Maximum length of the text of a query, in characters. */
export const SEARCH_TEXT_LENGTH_MAX = 16_384;
export const SYNTAX_DEPTH_MAX = 100;
const QUERY_TREE_DEPTH_MAX = 16;
export const QUERY_LEAVES_MAX = 256;

/** Returns true if the queries of one search have more levels, or together more conditions, than allowed. */
export function isTooComplex(queries: readonly Query[]): boolean {
  let leaves = 0;
  const isTooDeep = (query: Query, depth: number): boolean => {
    if (depth > QUERY_TREE_DEPTH_MAX) return true;
    if (query.op === "not") return isTooDeep(query.of, depth + 1);
    if (query.op === "and" || query.op === "or") return query.of.some((part) => isTooDeep(part, depth + 1));
    leaves += 1;
    return leaves > QUERY_LEAVES_MAX;
  };
  return queries.some((query) => isTooDeep(query, 1));
}

export interface ParseOptions {
  readonly prefix: string;
}

/** Matches literal parts with any text between them, in linear time, unlike a regular expression. */
export function matchesGlob(text: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const index = text.indexOf(part, position);
    if (index === -1) return false;
    position = index + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

/** Fields whose words are corrected; null: text without a field. */
const FIELDS = new Set<string | null>([
  null,
  "title",
  "alternative_title",
  "author_name",
  "author_alternative_name",
  "name",
]);
const SPACES = /\s+/;

/** Replaces words and phrases by the corrected ones, by the typed texts. One word may become several, or none. */
export function replaceWords(query: Query, replacements: ReadonlyMap<string, string>): Query {
  return mapLeaves(query, (leaf) => (FIELDS.has(leaf.field) ? replaceText(leaf, replacements) : leaf));
}

function replaceText(leaf: Leaf, replacements: ReadonlyMap<string, string>): Query {
  const { value } = leaf;
  const text = value.kind === "word" || value.kind === "phrase" ? replacements.get(value.text) : undefined;
  if (text === undefined) return leaf;
  if (value.kind === "phrase") return withValue(leaf, { kind: "phrase", text });
  const words = text.split(SPACES).filter((word) => word !== "");
  return allOf(words.map((word) => withValue(leaf, { kind: "word", text: word })));
}

function withValue(leaf: Leaf, value: Value): Leaf {
  return { ...leaf, value };
}

/**
 * A query as an engine receives it: fields are pushed down to the leaves and named as in the index, aliases
 * and values are normalised. Nobody behind the parser reads text again.
 */
export type Query =
  | { readonly op: "all" }
  | { readonly op: "none" }
  | { readonly op: "and" | "or"; readonly of: readonly Query[] }
  | { readonly op: "not"; readonly of: Query }
  | Leaf;

/** One condition on one field, or on the default fields (`field` null). */
export interface Leaf {
  readonly op: "match";
  /** Name of an index field; null: the default fields of the scheme. */
  readonly field: string | null;
  readonly value: Value;
  /** Factor of the clause's text score; it never decides what matches. */
  readonly boost: number;
}

/** What a leaf asks for. Texts are unescaped, and not analysed yet. */
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

/** A leaf that matches a value exactly: a filter, or a word of a field. */
export function equals(field: string, text: string): Leaf {
  return { op: "match", field, value: { kind: "phrase", text }, boost: 1 };
}

/** A leaf with an inclusive range; null is an open end. */
export function between(field: string, from: string | null, to: string | null): Leaf {
  return {
    op: "match",
    field,
    value: { kind: "range", from, to, includesFrom: true, includesTo: true },
    boost: 1,
  };
}

/** All of some queries; without any: everything. */
export function allOf(queries: readonly Query[]): Query {
  const wanted = queries.filter((query) => query.op !== "all");
  const [first, ...more] = wanted;
  if (first === undefined) return ALL;
  return more.length === 0 ? first : { op: "and", of: wanted };
}

/** At least one of some queries; without any: nothing. */
export function anyOf(queries: readonly Query[]): Query {
  const [first, ...more] = queries;
  if (first === undefined) return NONE;
  return more.length === 0 ? first : { op: "or", of: queries };
}

/** Everything but what a query matches. */
export function not(query: Query): Query {
  return { op: "not", of: query };
}

/** The conditions of a query, those under NOT too. */
export function leavesOf(query: Query): Leaf[] {
  if (query.op === "and" || query.op === "or") return query.of.flatMap(leavesOf);
  if (query.op === "not") return leavesOf(query.of);
  return query.op === "match" ? [query] : [];
}

/** The query with every condition made another. */
export function mapLeaves(query: Query, change: (leaf: Leaf) => Leaf): Query {
  if (query.op === "match") return change(query);
  if (query.op === "not") return not(mapLeaves(query.of, change));
  if (query.op === "all" || query.op === "none") return query;
  return { op: query.op, of: query.of.map((part) => mapLeaves(part, change)) };
}

/** Whether a query excludes anything. */
export function hasNot(query: Query): boolean {
  if (query.op === "and" || query.op === "or") return query.of.some(hasNot);
  return query.op === "not";
}

/**
 * Whether a value lies in a range whose ends `read` makes values of its kind; bounds that are none, such as NaN, hold
 * nothing.
 */
export function isBetween<Bound>(
  value: Bound,
  { from, to, includesFrom, includesTo }: Extract<Value, { kind: "range" }>,
  read: (text: string) => Bound,
): boolean {
  const isAbove = from === null || value > read(from) || (includesFrom && value === read(from));
  return isAbove && (to === null || value < read(to) || (includesTo && value === read(to)));
}

/** Longest text of a query, in characters. */
export const SEARCH_TEXT_LENGTH_MAX = 16_384;
/** Groups, signs and fields inside each other that the parser follows. */
export const SYNTAX_DEPTH_MAX = 100;
/** Levels of a query, a single condition being one. */
const QUERY_TREE_DEPTH_MAX = 16;
/** Conditions of a query. */
export const QUERY_LEAVES_MAX = 256;

/** Whether queries that will be asked together are deeper, or have more conditions, than is allowed. */
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

/** What parsing depends on besides the text. */
export interface ParseOptions {
  /** Prefix of record ids, such as `OL`. */
  readonly prefix: string;
}

/**
 * A query as an engine receives it: fields are pushed down to the leaves and named as in the index, aliases
 * and values are normalised (search.md 3). Nobody behind the parser reads text again.
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
  /** Name of an index field (search.md 3.4); null: the default fields of the scheme. */
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

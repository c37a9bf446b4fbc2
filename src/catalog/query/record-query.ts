/** A value in a condition: text, number, or a reference to the record with that key. */
export type QueryValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "reference"; readonly key: string }
  /** Text from a URL, which matches a reference too when it starts with a slash (records.md 3.1). */
  | { readonly kind: "loose"; readonly text: string };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "~i";

/** A comparison of one member; more than one value means any of them. */
export interface Comparison {
  /** Member names from the document or the element inwards. */
  readonly path: readonly string[];
  readonly operator: Operator;
  readonly values: readonly QueryValue[];
}

/** Comparisons that one and the same element of `element` must meet; an empty path is the document itself. */
export interface Condition {
  readonly element: readonly string[];
  readonly comparisons: readonly Comparison[];
}

/** Which members are wanted: all, or the named ones, some of them of the record that they refer to. */
export interface Selection {
  readonly all: boolean;
  readonly members: ReadonlyMap<string, Selection | null>;
}

/** A query for records (records.md 3.1). */
export interface RecordQuery {
  readonly conditions: readonly Condition[];
  readonly selection: Selection;
  readonly sort: { readonly property: string; readonly descending: boolean } | undefined;
  readonly limit: number;
  readonly offset: number;
  /** The one type asked for, if there is just one. */
  readonly type: string | undefined;
}

/** Rows of a query when it names no limit, and at most. */
export const QUERY_LIMIT = { default: 20, max: 1000 };
/** Highest offset of a query. */
export const QUERY_OFFSET_MAX = 10_000;
/** Comparisons in one query, members in one path, values in one list. */
export const QUERY_COMPARISONS_MAX = 20;
export const QUERY_DEPTH_MAX = 5;
export const QUERY_VALUES_MAX = 1000;

/** Properties that every record has: a condition on them needs no type. */
export const ENVELOPE = new Set([
  "key",
  "type",
  "created",
  "last_modified",
  "permission",
  "child_permission",
]);

/** A query that cannot be understood; the message is for the person who sent it. */
export class QueryError extends Error {}

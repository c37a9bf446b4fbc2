import type { ByteBudget } from "../bytes.ts";
import { type CatalogRecord, type Json, isObject, keyOf, memberOf } from "../record.ts";

/** A value in a condition: text, number, or a reference to the record with that key. */
export type QueryValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "reference"; readonly key: string }
  /** Text from a URL, which matches a reference too when it starts with a slash. */
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
export interface MemberSelection {
  readonly all: boolean;
  readonly members: ReadonlyMap<string, MemberSelection | null>;
}

/** A query for records. */
export interface RecordQuery {
  readonly conditions: readonly Condition[];
  readonly selection: MemberSelection;
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

/** Records by key, as far as they have been looked up; undefined for those that do not exist. */
export type Referenced = ReadonlyMap<string, CatalogRecord | undefined>;

/** Keys of the records that a selection wants members of and that have not been looked up yet. */
export function referencedKeys(
  records: readonly CatalogRecord[],
  selection: MemberSelection,
  referenced: Referenced,
): string[] {
  const search: KeySearch = { referenced, keys: new Set(), visited: new Map() };
  for (const record of records) addKeys(record, selection, search);
  return [...search.keys];
}

interface KeySearch {
  readonly referenced: Referenced;
  readonly keys: Set<string>;
  /** Values that were searched for a selection: records may name each other, and themselves, many times. */
  readonly visited: Map<MemberSelection, Set<object>>;
}

function addKeys(value: Json | undefined, selection: MemberSelection, search: KeySearch): void {
  if (!Array.isArray(value) && !isObject(value)) return;
  if (!isFirstVisit(value, selection, search)) return;
  if (Array.isArray(value)) {
    for (const element of value) addReferenced(element, selection, search);
    return;
  }
  for (const [name, nested] of selection.members) {
    if (nested !== null) addReferenced(memberOf(value, name) ?? null, nested, search);
  }
}

function isFirstVisit(value: object, selection: MemberSelection, { visited }: KeySearch): boolean {
  const values = visited.get(selection) ?? new Set();
  if (values.has(value)) return false;
  visited.set(selection, values.add(value));
  return true;
}

function addReferenced(value: Json, selection: MemberSelection, search: KeySearch): void {
  const key = keyOf(value);
  if (key === undefined) addKeys(value, selection, search);
  else if (search.referenced.has(key)) addKeys(search.referenced.get(key), selection, search);
  else search.keys.add(key);
}

/** Referenced records and the byte budget that resolve a selection. */
interface SelectionContext {
  readonly referenced: Referenced;
  /** References repeat and nest, so a small record can mean a huge answer. */
  readonly budget: ByteBudget;
}

/**
 * The members of a record that a selection wants, `key` first, absent ones as null. Throws `AnswerTooLarge` when the
 * budget is used up.
 */
export function select(
  record: CatalogRecord,
  selection: MemberSelection,
  context: SelectionContext,
): CatalogRecord {
  const chosen = new Map<string, Json | undefined>([["key", memberOf(record, "key") ?? null]]);
  if (selection.all) for (const [name, value] of Object.entries(record)) chosen.set(name, value);
  const { budget } = context;
  for (const [name, value] of chosen) {
    if (!selection.members.has(name)) budget.spendJson({ [name]: value ?? null });
  }
  for (const [name, nested] of selection.members) {
    chosen.set(name, selectMember(record, [name, nested], context));
  }
  return Object.fromEntries(chosen);
}

function selectMember(
  value: CatalogRecord,
  [name, nested]: readonly [string, MemberSelection | null],
  context: SelectionContext,
): Json {
  const member = memberOf(value, name) ?? null;
  context.budget.spend(name.length + 4);
  if (nested !== null) return selectNested(member, nested, context);
  context.budget.spendJson(member);
  return member;
}

function selectNested(value: Json, nested: MemberSelection, context: SelectionContext): Json {
  if (Array.isArray(value)) return value.map((element) => selectNested(element, nested, context));
  const key = keyOf(value);
  const target = key === undefined ? undefined : context.referenced.get(key);
  if (target !== undefined) return select(target, nested, context);
  if (key !== undefined || !isObject(value) || nested.all) {
    context.budget.spendJson(value);
    return value;
  }
  return Object.fromEntries(
    [...nested.members].map((member) => [member[0], selectMember(value, member, context)] as const),
  );
}

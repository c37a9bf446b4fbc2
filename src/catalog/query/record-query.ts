import { isCatalogKey } from "../keys.ts";
import type { ByteBudget } from "../bytes.ts";
import { type CatalogRecord, type Json, isObject, keyOf, memberOf } from "../record.ts";
import { type TextKey, TextError } from "../texts.ts";

/** Value in a condition: text, number, or a reference to the record with that key. */
export type QueryValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "reference"; readonly key: string }
  /** Text from a URL. It also matches a reference if it starts with a slash. */
  | { readonly kind: "loose"; readonly text: string };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "~i";

export interface Comparison {
  /** Member names, from the document or the element inwards. */
  readonly path: readonly string[];
  readonly operator: Operator;
  readonly values: readonly QueryValue[];
}

/** Comparisons that a single element of `element` must satisfy; an empty path means the document itself. */
export interface Condition {
  readonly element: readonly string[];
  readonly comparisons: readonly Comparison[];
}

/** Members to return: all, or the named ones, for references also members of the referenced record. */
export interface MemberSelection {
  readonly all: boolean;
  readonly members: ReadonlyMap<string, MemberSelection | null>;
}

export interface RecordQuery {
  readonly conditions: readonly Condition[];
  readonly selection: MemberSelection;
  readonly sort: { readonly property: string; readonly descending: boolean } | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Required type; undefined if there is not exactly one. */
  readonly type: string | undefined;
}

/** Returns the keys of works, editions and authors that a query requires. */
export function requiredKeysOf({ conditions }: RecordQuery): string[] {
  const comparisons = conditions.flatMap((condition) => condition.comparisons);
  const values = comparisons.flatMap((comparison) => (comparison.operator === "=" ? comparison.values : []));
  return values.map(textOfKey).filter(isCatalogKey);
}

/** Returns the query with the keys of merged records replaced by those of their targets (Q684). */
export function followRequiredKeys(query: RecordQuery, targets: ReadonlyMap<string, string>): RecordQuery {
  const follow = (value: QueryValue): QueryValue => {
    const key = targets.get(textOfKey(value));
    if (key === undefined) return value;
    if (value.kind === "reference") return { kind: "reference", key };
    return value.kind === "number" ? value : { kind: value.kind, text: key };
  };
  const conditions = query.conditions.map(({ element, comparisons }) => ({
    element,
    comparisons: comparisons.map((comparison) => ({ ...comparison, values: comparison.values.map(follow) })),
  }));
  return { ...query, conditions };
}

function textOfKey(value: QueryValue): string {
  if (value.kind === "reference") return value.key;
  return value.kind === "number" ? "" : value.text;
}

export const QUERY_LIMIT = { default: 20, max: 1000 };
export const QUERY_OFFSET_MAX = 10_000;
/** Maximum comparisons per query, members per path, and values per list. */
export const QUERY_COMPARISONS_MAX = 20;
export const QUERY_DEPTH_MAX = 5;
export const QUERY_VALUES_MAX = 1000;

/** Properties of every record: conditions on them need no type. */
export const ENVELOPE = new Set([
  "key",
  "type",
  "created",
  "last_modified",
  "permission",
  "child_permission",
]);

/** Error in a query. */
export class QueryError extends TextError<Extract<TextKey, `bad_data.query_${string}`>> {}

/** Records read so far, by key; undefined for those that do not exist. */
export type ReferencedRecords = ReadonlyMap<string, CatalogRecord | undefined>;

/** Returns the keys of records whose members a selection needs, and that have not been read yet. */
export function unreadReferences(
  records: readonly CatalogRecord[],
  selection: MemberSelection,
  referenced: ReferencedRecords,
): string[] {
  const search: KeySearch = { referenced, keys: new Set(), visited: new Map() };
  for (const record of records) addKeys(record, selection, search);
  return [...search.keys];
}

interface KeySearch {
  readonly referenced: ReferencedRecords;
  readonly keys: Set<string>;
  /** Values visited per selection: records may refer to each other, and to themselves, many times. */
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

interface SelectionContext {
  readonly referenced: ReferencedRecords;
  /** Limits the response: references repeat and nest, so that a small record can expand to a huge one. */
  readonly budget: ByteBudget;
}

/** Returns the selected members, `key` first, absent ones as null. Throws `ResponseTooLarge`. */
export function selectMembers(
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
  if (target !== undefined) return selectMembers(target, nested, context);
  if (key !== undefined || !isObject(value) || nested.all) {
    context.budget.spendJson(value);
    return value;
  }
  return Object.fromEntries(
    [...nested.members].map((member) => [member[0], selectMember(value, member, context)] as const),
  );
}

import { isObject, type CatalogRecord, type Json } from "../record.ts";
import { declaredProperty } from "../types.ts";
import {
  ENVELOPE,
  QUERY_COMPARISONS_MAX,
  QUERY_DEPTH_MAX,
  QUERY_LIMIT,
  QUERY_OFFSET_MAX,
  QUERY_VALUES_MAX,
  QueryError,
  type Comparison,
  type Condition,
  type Operator,
  type QueryValue,
  type RecordQuery,
  type Selection,
} from "./record-query.ts";

const NAME = /^(?:\w+:)?(.+?)(!=|<=|>=|~i|=|<|>|~)?$/s;
/** What no path in SQLite's JSON can name: nothing, quotes, backslashes, control characters. */
const UNNAMEABLE = /^$|["\\\p{Cc}]/u;
/** Members whose names are free text, so that a dotted path is not split inside them. */
const FREE_NAMES = /^(identifiers|classifications|remote_ids|name_translated)\.(.+)$/s;

/** Reads a query object. `loose` when its values come from a URL and so are all text. */
export function parseQuery(query: Json, { loose = false } = {}): RecordQuery {
  if (!isObject(query)) throw new QueryError("Bad query: expected a JSON object");
  const conditions: Condition[] = [];
  const members = new Map<string, Selection | null>();
  let all = false;
  for (const [name, value] of Object.entries(query)) {
    if (name === "limit" || name === "offset" || name === "sort") continue;
    if (name === "*") all = true;
    else readMember(name, value, { conditions, members, loose });
  }
  const checked = withDeclaredKinds(conditions);
  checkConditions(checked);
  const selection = { all, members };
  return {
    conditions: checked,
    selection,
    type: soleType(checked),
    sort: readSort(query),
    ...readPage(query),
  };
}

interface Target {
  readonly conditions: Condition[];
  readonly members: Map<string, Selection | null>;
  readonly loose: boolean;
}

function readMember(name: string, value: Json | undefined, target: Target): void {
  const { property, operator } = readName(name);
  if (value === null || value === undefined || (target.loose && value === "")) {
    target.members.set(property, target.members.get(property) ?? null);
  } else if (isNested(value)) readNested(property, value, target);
  else {
    const comparison = { path: splitPath(property), operator, values: readValues(value, target.loose) };
    target.conditions.push({ element: [], comparisons: [comparison] });
  }
}

function readName(name: string): { readonly property: string; readonly operator: Operator } {
  const [, property = name, operator = "="] = NAME.exec(name) ?? [];
  // The pattern lets no other operator through.
  return { property, operator: operator as Operator };
}

/** References are values; and `{type: "/type/datetime", value}` and its kin stand for theirs. */
function isNested(value: Json): value is CatalogRecord {
  if (!isObject(value)) return false;
  const isReference = typeof value["key"] === "string" && Object.keys(value).length === 1;
  return !isReference && (typeof value["type"] !== "string" || value["value"] === undefined);
}

function readNested(property: string, value: CatalogRecord, target: Target): void {
  const comparisons = comparisonsIn(value, [], target.loose);
  if (comparisons.length > 0) target.conditions.push({ element: splitPath(property), comparisons });
  else target.members.set(property, nestedSelection(value, 1));
}

/** A selection out of an object, all of whose leaves are null. Throws `QueryError` below `QUERY_DEPTH_MAX`. */
function nestedSelection(value: CatalogRecord, depth: number): Selection {
  if (depth > QUERY_DEPTH_MAX) throw new QueryError("Bad query: nested too deeply");
  const { "*": all, ...members } = value;
  const nested = Object.entries(members).map(
    ([name, member]) => [name, isObject(member) ? nestedSelection(member, depth + 1) : null] as const,
  );
  return { all: all !== undefined, members: new Map(nested) };
}

/** The comparisons in an object, which stands at a path. */
function comparisonsIn(value: CatalogRecord, above: readonly string[], loose: boolean): Comparison[] {
  if (above.length > QUERY_DEPTH_MAX) throw new QueryError("Bad query: nested too deeply");
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === null || member === undefined) return [];
    const { property, operator } = readName(name);
    const path = [...above, property];
    if (isNested(member)) return comparisonsIn(member, path, loose);
    return [{ path, operator, values: readValues(member, loose) }];
  });
}

function splitPath(property: string): string[] {
  const free = FREE_NAMES.exec(property);
  return free === null ? property.split(".") : [free[1] ?? "", free[2] ?? ""];
}

function readValues(value: Json, loose: boolean): QueryValue[] {
  if (!Array.isArray(value)) return [readValue(value, loose)];
  if (value.length > QUERY_VALUES_MAX)
    throw new QueryError(`Bad query: more than ${QUERY_VALUES_MAX} values`);
  return value.map((element) => readValue(element, loose));
}

function readValue(value: Json | undefined, loose: boolean): QueryValue {
  if (typeof value === "string") return { kind: loose ? "loose" : "text", text: value };
  if (typeof value === "number") return { kind: "number", number: value };
  if (typeof value === "boolean") return { kind: "text", text: String(value) };
  if (isObject(value) && typeof value["key"] === "string") return { kind: "reference", key: value["key"] };
  if (isObject(value) && typeof value["value"] === "string") return { kind: "text", text: value["value"] };
  throw new QueryError("Bad query: a value must be text, a number or a reference");
}

/** Values for declared reference and integer properties may be given as text. */
function withDeclaredKinds(conditions: readonly Condition[]): Condition[] {
  const type = soleType(conditions);
  if (type === undefined) return [...conditions];
  return conditions.map(({ element, comparisons }) => ({
    element,
    comparisons: comparisons.map((comparison) => {
      const expected = expectedType(type, [...element, ...comparison.path]);
      return { ...comparison, values: comparison.values.map((value) => declaredValue(value, expected)) };
    }),
  }));
}

function expectedType(type: string, path: readonly string[]): string | undefined {
  const [first = "", ...rest] = path;
  const expected = declaredProperty(type, first)?.expected_type;
  if (rest.length === 0 || expected === undefined) return expected;
  return expectedType(expected, rest);
}

const SCALARS = new Set(["/type/string", "/type/text", "/type/boolean", "/type/float", "/type/datetime"]);

function declaredValue(value: QueryValue, expected: string | undefined): QueryValue {
  if (expected === undefined || (value.kind !== "text" && value.kind !== "loose")) return value;
  if (SCALARS.has(expected)) return value;
  if (expected !== "/type/int") return { kind: "reference", key: value.text };
  return /^-?\d{1,15}$/.test(value.text) ? { kind: "number", number: Number(value.text) } : value;
}

function soleType(conditions: readonly Condition[]): string | undefined {
  for (const { element, comparisons } of conditions) {
    const [comparison] = comparisons;
    const isType = element.length === 0 && comparison?.path.length === 1 && comparison.path[0] === "type";
    if (!isType || comparison.operator !== "=" || comparison.values.length !== 1) continue;
    return textOfValue(comparison.values[0]);
  }
  return undefined;
}

/** The text or key of a value; undefined for numbers. */
export function textOfValue(value: QueryValue | undefined): string | undefined {
  if (value === undefined || value.kind === "number") return undefined;
  return value.kind === "reference" ? value.key : value.text;
}

function checkConditions(conditions: readonly Condition[]): void {
  const comparisons = conditions.flatMap((condition) => condition.comparisons);
  if (comparisons.length > QUERY_COMPARISONS_MAX) throw new QueryError("Bad query: too many conditions");
  for (const { element } of conditions) checkPath(element);
  const names = conditions.map(({ element, comparisons: [first] }) => element[0] ?? first?.path[0] ?? "");
  const hasType = names.includes("type");
  // Q33: without a type only what every record has can be asked for.
  if (!hasType && names.some((name) => !ENVELOPE.has(name))) throw new QueryError("missing 'type' in query");
  for (const { path, operator, values } of comparisons) {
    checkPath(path);
    if (values.length > 1 && operator !== "=") throw new QueryError(`Bad query: ${operator} takes one value`);
  }
}

function checkPath(path: readonly string[]): void {
  if (path.length > QUERY_DEPTH_MAX) throw new QueryError("Bad query: nested too deeply");
  if (path.some((name) => UNNAMEABLE.test(name))) throw new QueryError("Bad query: not a name of a property");
}

function readSort(query: CatalogRecord): RecordQuery["sort"] {
  const sort = query["sort"];
  if (typeof sort !== "string" || sort === "") return undefined;
  const property = sort.replace(/^-/, "");
  if (!/^\w{1,64}$/.test(property)) throw new QueryError(`Bad query: cannot sort by ${property}`);
  return { property, descending: sort.startsWith("-") };
}

function readPage(query: CatalogRecord): { limit: number; offset: number } {
  const limit = wholeNumber(query["limit"]) ?? QUERY_LIMIT.default;
  const offset = wholeNumber(query["offset"]) ?? 0;
  if (limit < 0 || offset < 0) throw new QueryError("Bad query: limit and offset must not be negative");
  // Q38: clipped, not refused.
  return { limit: Math.min(limit, QUERY_LIMIT.max), offset: Math.min(offset, QUERY_OFFSET_MAX) };
}

function wholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

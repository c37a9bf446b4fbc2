import { isObject, type CatalogRecord, type Json } from "../record.ts";
import { findProperty } from "../types.ts";
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
  type MemberSelection,
} from "./record-query.ts";

const NAME = /^(?:\w+:)?(.+?)(!=|<=|>=|~i|=|<|>|~)?$/s;
/** Pattern of names that SQLite's JSON paths cannot express: empty ones, quotes, backslashes, control characters. */
const UNNAMEABLE = /^$|["\\\p{Cc}]/u;
/** Pattern of members with free names, inside which a dotted path is not split. */
const FREE_NAMES = /^(identifiers|classifications|remote_ids|name_translated)\.(.+)$/s;

/** Parses a query object. `loose`: the values come from a URL, so all of them are text. Throws `QueryError`. */
export function parseQuery(query: Json, { loose = false } = {}): RecordQuery {
  if (!isObject(query)) throw new QueryError("bad_data.query_object");
  const conditions: Condition[] = [];
  const members = new Map<string, MemberSelection | null>();
  let all = false;
  for (const [name, value] of Object.entries(query)) {
    if (name === "limit" || name === "offset" || name === "sort") continue;
    if (name === "*") all = true;
    else parseMember(name, value, { conditions, members, loose });
  }
  const checked = convertDeclaredValues(conditions);
  checkConditions(checked);
  const selection = { all, members };
  return {
    conditions: checked,
    selection,
    type: soleTypeOf(checked),
    sort: parseSort(query),
    ...parsePage(query),
  };
}

interface ParsedParts {
  readonly conditions: Condition[];
  readonly members: Map<string, MemberSelection | null>;
  readonly loose: boolean;
}

function parseMember(name: string, value: Json | undefined, target: ParsedParts): void {
  const { property, operator } = parseName(name);
  if (value === null || value === undefined || (target.loose && value === "")) {
    target.members.set(property, target.members.get(property) ?? null);
  } else if (isNested(value)) parseNested(property, value, target);
  else {
    const comparison = { path: splitPath(property), operator, values: parseValues(value, target.loose) };
    target.conditions.push({ element: [], comparisons: [comparison] });
  }
}

function parseName(name: string): { readonly property: string; readonly operator: Operator } {
  const [, property = name, operator = "="] = NAME.exec(name) ?? [];
  // The pattern matches these operators only.
  return { property, operator: operator as Operator };
}

/** Returns true for nested queries. References, and values such as `{type: "/type/datetime", value}`, are not. */
function isNested(value: Json): value is CatalogRecord {
  if (!isObject(value)) return false;
  const isReference = typeof value["key"] === "string" && Object.keys(value).length === 1;
  return !isReference && (typeof value["type"] !== "string" || value["value"] === undefined);
}

function parseNested(property: string, value: CatalogRecord, target: ParsedParts): void {
  const comparisons = parseComparisons(value, [], target.loose);
  if (comparisons.length > 0) target.conditions.push({ element: splitPath(property), comparisons });
  else target.members.set(property, parseSelection(value, 1));
}

/** Parses a selection from an object whose leaves are all null. Throws `QueryError` below `QUERY_DEPTH_MAX`. */
function parseSelection(value: CatalogRecord, depth: number): MemberSelection {
  if (depth > QUERY_DEPTH_MAX) throw new QueryError("bad_data.query_depth");
  const { "*": all, ...members } = value;
  const nested = Object.entries(members).map(
    ([name, member]) => [name, isObject(member) ? parseSelection(member, depth + 1) : null] as const,
  );
  return { all: all !== undefined, members: new Map(nested) };
}

function parseComparisons(value: CatalogRecord, above: readonly string[], loose: boolean): Comparison[] {
  if (above.length > QUERY_DEPTH_MAX) throw new QueryError("bad_data.query_depth");
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === null || member === undefined) return [];
    const { property, operator } = parseName(name);
    const path = [...above, property];
    if (isNested(member)) return parseComparisons(member, path, loose);
    return [{ path, operator, values: parseValues(member, loose) }];
  });
}

function splitPath(property: string): string[] {
  const free = FREE_NAMES.exec(property);
  return free === null ? property.split(".") : [free[1] ?? "", free[2] ?? ""];
}

function parseValues(value: Json, loose: boolean): QueryValue[] {
  if (!Array.isArray(value)) return [parseValue(value, loose)];
  if (value.length > QUERY_VALUES_MAX)
    throw new QueryError("bad_data.query_values", { most: QUERY_VALUES_MAX });
  return value.map((element) => parseValue(element, loose));
}

function parseValue(value: Json | undefined, loose: boolean): QueryValue {
  if (typeof value === "string") return { kind: loose ? "loose" : "text", text: value };
  if (typeof value === "number") return { kind: "number", number: value };
  if (typeof value === "boolean") return { kind: "text", text: String(value) };
  if (isObject(value) && typeof value["key"] === "string") return { kind: "reference", key: value["key"] };
  if (isObject(value) && typeof value["value"] === "string") return { kind: "text", text: value["value"] };
  throw new QueryError("bad_data.query_value");
}

function convertDeclaredValues(conditions: readonly Condition[]): Condition[] {
  const type = soleTypeOf(conditions);
  if (type === undefined) return [...conditions];
  return conditions.map(({ element, comparisons }) => ({
    element,
    comparisons: comparisons.map((comparison) => {
      const expected = expectedTypeOf(type, [...element, ...comparison.path]);
      return { ...comparison, values: comparison.values.map((value) => toDeclaredValue(value, expected)) };
    }),
  }));
}

function expectedTypeOf(type: string, path: readonly string[]): string | undefined {
  const [first = "", ...rest] = path;
  const expected = findProperty(type, first)?.expected_type;
  if (rest.length === 0 || expected === undefined) return expected;
  return expectedTypeOf(expected, rest);
}

const SCALARS = new Set(["/type/string", "/type/text", "/type/boolean", "/type/float", "/type/datetime"]);

function toDeclaredValue(value: QueryValue, expected: string | undefined): QueryValue {
  if (expected === undefined || (value.kind !== "text" && value.kind !== "loose")) return value;
  if (SCALARS.has(expected)) return value;
  if (expected !== "/type/int") return { kind: "reference", key: value.text };
  return /^-?\d{1,15}$/.test(value.text) ? { kind: "number", number: Number(value.text) } : value;
}

function soleTypeOf(conditions: readonly Condition[]): string | undefined {
  for (const { element, comparisons } of conditions) {
    const [comparison] = comparisons;
    const isType = element.length === 0 && comparison?.path.length === 1 && comparison.path[0] === "type";
    if (!isType || comparison.operator !== "=" || comparison.values.length !== 1) continue;
    return textOfValue(comparison.values[0]);
  }
  return undefined;
}

export function textOfValue(value: QueryValue | undefined): string | undefined {
  if (value === undefined || value.kind === "number") return undefined;
  return value.kind === "reference" ? value.key : value.text;
}

function checkConditions(conditions: readonly Condition[]): void {
  const comparisons = conditions.flatMap((condition) => condition.comparisons);
  if (comparisons.length > QUERY_COMPARISONS_MAX) throw new QueryError("bad_data.query_conditions");
  for (const { element } of conditions) checkPath(element);
  const names = conditions.map(({ element, comparisons: [first] }) => element[0] ?? first?.path[0] ?? "");
  const hasType = names.includes("type");
  // Q33: without a type only properties of every record are allowed.
  if (!hasType && names.some((name) => !ENVELOPE.has(name))) throw new QueryError("bad_data.query_type");
  for (const { path, operator, values } of comparisons) {
    checkPath(path);
    if (values.length > 1 && operator !== "=") throw new QueryError("bad_data.query_one_value", { operator });
  }
}

function checkPath(path: readonly string[]): void {
  if (path.length > QUERY_DEPTH_MAX) throw new QueryError("bad_data.query_depth");
  if (path.some((name) => UNNAMEABLE.test(name))) throw new QueryError("bad_data.query_name");
}

function parseSort(query: CatalogRecord): RecordQuery["sort"] {
  const sort = query["sort"];
  if (typeof sort !== "string" || sort === "") return undefined;
  const property = sort.replace(/^-/, "");
  if (!/^\w{1,64}$/.test(property)) throw new QueryError("bad_data.query_sort", { property });
  return { property, descending: sort.startsWith("-") };
}

function parsePage(query: CatalogRecord): { limit: number; offset: number } {
  const limit = toWholeNumber(query["limit"]) ?? QUERY_LIMIT.default;
  const offset = toWholeNumber(query["offset"]) ?? 0;
  if (limit < 0 || offset < 0) throw new QueryError("bad_data.query_page");
  // Q38: clipped, not refused.
  return { limit: Math.min(limit, QUERY_LIMIT.max), offset: Math.min(offset, QUERY_OFFSET_MAX) };
}

function toWholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

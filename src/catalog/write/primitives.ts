import { normalizedDatetime } from "../datetime.ts";
import { type CatalogRecord, type Json, isObject, keyOf } from "../record.ts";

const INTEGER = /^\s*[+-]?\d{1,16}\s*$/;
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/;
/** Types that a value may name beside itself: `{type, value}` (records.md 1.2). */
const NAMED = new Set(
  ["string", "text", "int", "float", "boolean", "datetime"].map((name) => `/type/${name}`),
);

/** True for `{key}` alone: a reference (records.md 1.2). */
export function isReference(value: Json): value is CatalogRecord & { readonly key: string } {
  return isObject(value) && typeof value["key"] === "string" && Object.keys(value).length === 1;
}

/** Type of a value, as messages name it; `/type/object` for references of any kind. */
export function foundType(value: Json): string {
  if (value === null) return "/type/null";
  if (Array.isArray(value)) return "/type/list";
  if (typeof value === "string") return "/type/string";
  if (typeof value === "boolean") return "/type/boolean";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "/type/int" : "/type/float";
  return typeNamed(value) ?? (isReference(value) ? "/type/object" : "/type/dict");
}

/** Type that `{type, value}` names; undefined for all other values. */
function typeNamed(value: Json): string | undefined {
  if (!isObject(value) || value["value"] === undefined) return undefined;
  const type = keyOf(value["type"]);
  return type !== undefined && NAMED.has(type) ? type : undefined;
}

/** What is found instead of `expected`, for messages: a text object that holds a number is a number. */
export function foundInstead(expected: string, value: Json): string {
  const found = foundType(value);
  return found === expected && isObject(value) ? foundType(value["value"] ?? null) : found;
}

/** The value as it is stored where `expected`, a primitive type, is declared; undefined when it is none such. */
export function primitiveValue(expected: string, value: Json): Json | undefined {
  const inner = isObject(value) && typeNamed(value) === expected ? (value["value"] ?? null) : value;
  return CONVERSIONS.get(expected)?.(inner, inner !== value);
}

type Conversion = (value: Json, isNamed: boolean) => Json | undefined;

const CONVERSIONS = new Map<string, Conversion>([
  ["/type/key", string],
  ["/type/string", string],
  ["/type/text", (value) => (typeof value === "string" ? { type: "/type/text", value } : undefined)],
  ["/type/int", integer],
  ["/type/float", float],
  ["/type/boolean", boolean],
  ["/type/datetime", datetime],
]);

function string(value: Json): Json | undefined {
  return typeof value === "string" ? value : undefined;
}

function integer(value: Json): Json | undefined {
  const number = typeof value === "string" && INTEGER.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? number : undefined;
}

function float(value: Json): Json | undefined {
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return Number.isFinite(number) ? number : undefined;
}

function boolean(value: Json, isNamed: boolean): Json | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && !isNamed) return undefined;
  // Q88: every other word is false.
  return ["1", "true"].includes(String(value).toLowerCase());
}

function datetime(value: Json): Json | undefined {
  const time = typeof value === "string" ? normalizedDatetime(value) : undefined;
  return time === undefined ? undefined : { type: "/type/datetime", value: time };
}

import type { Text } from "../texts.ts";
import { normalizeDatetime } from "../datetime.ts";
import { isRecordKey, rewriteLegacyKey } from "../keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf, memberOf, typeKeyOf } from "../record.ts";
import { type PropertyDefinition, findProperty, typeDefinitionOf } from "../types.ts";
import { type FailurePlace, type WriteFailure, documentFailure, missingRecordFailure } from "./failure.ts";
import { isBlankMember } from "./members.ts";

const INTEGER = /^\s*[+-]?\d{1,16}\s*$/;
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/;
const NAMED = new Set(
  ["string", "text", "int", "float", "boolean", "datetime"].map((name) => `/type/${name}`),
);

/** Returns true for `{key}` alone: a reference. */
function isReference(value: Json): value is CatalogRecord & { readonly key: string } {
  return isObject(value) && typeof value["key"] === "string" && Object.keys(value).length === 1;
}

/** Returns the type of a value for messages; `/type/object` for references of any kind. */
export function typeOfValue(value: Json): string {
  if (value === null) return "/type/null";
  if (Array.isArray(value)) return "/type/list";
  if (typeof value === "string") return "/type/string";
  if (typeof value === "boolean") return "/type/boolean";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "/type/int" : "/type/float";
  return statedTypeOf(value) ?? (isReference(value) ? "/type/object" : "/type/dict");
}

/** Returns the type stated in `{type, value}`; undefined for all other values. */
function statedTypeOf(value: Json): string | undefined {
  if (!isObject(value) || value["value"] === undefined) return undefined;
  const type = keyOf(value["type"]);
  return type !== undefined && NAMED.has(type) ? type : undefined;
}

/** Returns the type found instead of `expected`, for messages: a text object that holds a number is a number. */
function mismatchedTypeOf(expected: string, value: Json): string {
  const type = typeOfValue(value);
  return type === expected && isObject(value) ? typeOfValue(value["value"] ?? null) : type;
}

/** Converts a value to the stored form of `expected`, a primitive type. Returns undefined if it is not of that type. */
export function toPrimitive(expected: string, value: Json): Json | undefined {
  const inner = isObject(value) && statedTypeOf(value) === expected ? (value["value"] ?? null) : value;
  return CONVERSIONS.get(expected)?.(inner, inner !== value);
}

type Conversion = (value: Json, isNamed: boolean) => Json | undefined;

const CONVERSIONS = new Map<string, Conversion>([
  ["/type/key", toText],
  ["/type/string", toText],
  ["/type/text", (value) => (typeof value === "string" ? { type: "/type/text", value } : undefined)],
  ["/type/int", toInteger],
  ["/type/float", toFloat],
  ["/type/boolean", toBoolean],
  ["/type/datetime", toDatetime],
]);

function toText(value: Json): Json | undefined {
  return typeof value === "string" ? value : undefined;
}

function toInteger(value: Json): Json | undefined {
  const number = typeof value === "string" && INTEGER.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? number : undefined;
}

function toFloat(value: Json): Json | undefined {
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: Json, isNamed: boolean): Json | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && !isNamed) return undefined;
  // Q88: every other word is false.
  return ["1", "true"].includes(String(value).toLowerCase());
}

function toDatetime(value: Json): Json | undefined {
  const time = typeof value === "string" ? normalizeDatetime(value) : undefined;
  return time === undefined ? undefined : { type: "/type/datetime", value: time };
}

/** Placeholder for the type of a record that is unknown here. It matches every type. */
export const ANY_TYPE = "*";

export interface ValueChecker {
  readonly key: string;
  readonly anyText?: boolean;
  /** Returns the key of a record's type; undefined if it does not exist; `ANY_TYPE` if it is checked elsewhere. */
  typeOf(key: string): string | undefined;
  fail(failure: WriteFailure): void;
}

interface ValuePlace {
  readonly checking: ValueChecker;
  readonly path: string;
}

const PERMISSIONS = new Map(
  ["permission", "child_permission"].map((name) => [
    name,
    { name, expected_type: "/type/permission", unique: true },
  ]),
);

/**
 * Checks a member of a record of this type and returns its stored form: types of declared properties, and the existence
 * of referenced records. Failures go to `checking`.
 */
export function checkMemberValue(
  checking: ValueChecker,
  type: string,
  { name, value }: { name: string; value: Json },
): Json {
  const property = PERMISSIONS.get(name) ?? findProperty(type, name);
  return checkValue(property, value, { checking, path: name });
}

/** Returns the type of a referenced record. Returns undefined, and reports a failure, if it does not exist. */
export function checkReference(checking: ValueChecker, key: string, at: FailurePlace): string | undefined {
  const type = isRecordKey(key) ? checking.typeOf(rewriteLegacyKey(key)) : undefined;
  if (type === undefined) checking.fail(missingRecordFailure(key, at));
  return type;
}

function checkValue(property: PropertyDefinition | undefined, value: Json, place: ValuePlace): Json {
  if (property === undefined) return checkFree(value, place);
  if (!Array.isArray(value)) {
    return property.unique
      ? checkSingle(property, value, place)
      : failValue({ key: "bad_data.list_expected" }, value, place);
  }
  if (property.unique) return failValue({ key: "bad_data.atom_expected" }, value, place);
  const single = { ...property, unique: true };
  return value.map((element) => checkValue(single, element, place));
}

function checkSingle(property: PropertyDefinition, value: Json, place: ValuePlace): Json {
  const expected = property.expected_type;
  const kind = typeDefinitionOf(expected)?.kind;
  if (kind === "embeddable") {
    const isEmbedded = isObject(value) && typeOfValue(value) === "/type/dict";
    return isEmbedded ? checkEmbedded(expected, value, place) : failMismatch(expected, value, place);
  }
  if (kind === "primitive") return toPrimitive(expected, value) ?? failMismatch(expected, value, place);
  const reference = typeof value === "string" ? { key: value } : value;
  return isReference(reference)
    ? checkReferenceTo(expected, reference, place)
    : failMismatch(expected, value, place);
}

function checkReferenceTo(expected: string, { key }: { key: string }, place: ValuePlace): Json {
  const reference = { key: rewriteLegacyKey(key) };
  const type = checkReference(place.checking, key, placeOf(place));
  if (type === undefined || type === ANY_TYPE || type === expected) return reference;
  return failType(expected, type, { value: reference, place });
}

/** Prunes an object of an embeddable type, checks its declared members and adds its type. */
function checkEmbedded(type: string, object: CatalogRecord, { checking, path }: ValuePlace): Json {
  const members = Object.entries(object).flatMap(([name, value = null]): [string, Json][] => {
    if (name === "type") return [[name, { key: type }]];
    if (isBlankMember(value)) return [];
    const property = findProperty(type, name);
    return [[name, checkValue(property, value, { checking, path: `${path}.${name}` })]];
  });
  const record = Object.fromEntries(members);
  return Object.hasOwn(record, "type") ? record : { ...record, type: { key: type } };
}

/** Checks an undeclared value. It is kept, but the records that it refers to must exist, of any type. */
function checkFree(value: Json, place: ValuePlace): Json {
  if (Array.isArray(value)) {
    for (const element of value) checkFree(element, place);
  } else if (isObject(value)) {
    if (isReference(value) && value.key.startsWith("/")) {
      checkReference(place.checking, value.key, placeOf(place));
    } else {
      for (const [name, inner = null] of Object.entries(value)) {
        checkFree(inner, { ...place, path: `${place.path}.${name}` });
      }
    }
  }
  return value;
}

function failMismatch(expected: string, value: Json, place: ValuePlace): Json {
  const valueType = mismatchedTypeOf(expected, value);
  if (!isReference(value)) return failType(expected, valueType, { value, place });
  const type = checkReference(place.checking, value.key, placeOf(place));
  if (type === undefined) return value;
  return failType(expected, type === ANY_TYPE ? valueType : type, { value, place });
}

function failType(
  expected: string,
  found: string,
  { value, place }: { value: Json; place: ValuePlace },
): Json {
  return failValue({ key: "bad_data.type_expected", values: { expected, found } }, value, place);
}

function failValue(text: Text, value: Json, place: ValuePlace): Json {
  place.checking.fail(documentFailure(text, placeOf(place), value));
  return value;
}

function placeOf({ checking, path }: ValuePlace): FailurePlace {
  return { key: checking.key, property: path };
}

const REQUIRED: ReadonlyMap<string, string> = new Map([
  ["/type/work", "title"],
  ["/type/edition", "title"],
  ["/type/author", "name"],
  ["/type/series", "name"],
  ["/type/tag", "name"],
  ["/type/publisher", "name"],
]);

/** Returns a failure if a new record lacks its required title or name. Existing records may lack them. */
export function findMissingMember(document: CatalogRecord): WriteFailure | undefined {
  const type = typeKeyOf(document);
  const name = type === undefined ? undefined : REQUIRED.get(type);
  if (type === undefined || name === undefined) return undefined;
  const value = memberOf(document, name);
  // If the type declares the property, the pipeline reports a value that is not a text.
  const isText = typeof value === "string" || findProperty(type, name) !== undefined;
  if (!isBlankMember(value) && isText) return undefined;
  const { key } = document;
  const at = typeof key === "string" ? { key, property: name } : undefined;
  return documentFailure({ key: "bad_data.missing_member", values: { name } }, at);
}

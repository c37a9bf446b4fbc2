import { normalizedDatetime } from "../datetime.ts";
import { isRecordKey, rewriteLegacyKey } from "../keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf, memberOf, typeKey } from "../record.ts";
import { type PropertyDefinition, declaredProperty, typeDefinition } from "../types.ts";
import { type FailurePlace, type WriteFailure, badDocument, missingRecord } from "./failure.ts";
import { isBlank } from "./members.ts";

const INTEGER = /^\s*[+-]?\d{1,16}\s*$/;
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/;
/** Types that a value may name beside itself: `{type, value}`. */
const NAMED = new Set(
  ["string", "text", "int", "float", "boolean", "datetime"].map((name) => `/type/${name}`),
);

/** True for `{key}` alone: a reference. */
function isReference(value: Json): value is CatalogRecord & { readonly key: string } {
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
function foundInstead(expected: string, value: Json): string {
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

/** Stands for the type of a record that cannot be told here: it passes for every type. */
export const ANY_TYPE = "*";

/** What values of one document are checked with. */
export interface Checking {
  /** Key of the document, for the places of failures. */
  readonly key: string;
  /** Key of the type of a record; undefined when it does not exist; `ANY_TYPE` when that is told elsewhere. */
  typeOf(key: string): string | undefined;
  fail(failure: WriteFailure): void;
}

/** A value with the place where it stands: `authors`, or `authors.author` inside an embedded object. */
interface Placed {
  readonly checking: Checking;
  readonly path: string;
}

/** Declared for records of all types, though no type says so. */
const PERMISSIONS = new Map(
  ["permission", "child_permission"].map((name) => [
    name,
    { name, expected_type: "/type/permission", unique: true },
  ]),
);

/**
 * Checks a member of a record of this type and returns it as it is stored: types of
 * declared properties, and that the records which references name exist. Failures go to `checking`.
 */
export function checkedMember(
  checking: Checking,
  type: string,
  { name, value }: { readonly name: string; readonly value: Json },
): Json {
  const property = PERMISSIONS.get(name) ?? declaredProperty(type, name);
  return checked(property, value, { checking, path: name });
}

/** Type of the record that a reference names; undefined, and a failure, when there is none. */
export function referencedType(checking: Checking, key: string, at: FailurePlace): string | undefined {
  const type = isRecordKey(key) ? checking.typeOf(rewriteLegacyKey(key)) : undefined;
  if (type === undefined) checking.fail(missingRecord(key, at));
  return type;
}

function checked(property: PropertyDefinition | undefined, value: Json, placed: Placed): Json {
  if (property === undefined) return freeValue(value, placed);
  if (!Array.isArray(value)) {
    return property.unique
      ? atom(property, value, placed)
      : refused("expected list, found atom", value, placed);
  }
  if (property.unique) return refused("expected atom, found list", value, placed);
  const single = { ...property, unique: true };
  return value.map((element) => checked(single, element, placed));
}

function atom(property: PropertyDefinition, value: Json, placed: Placed): Json {
  const expected = property.expected_type;
  const kind = typeDefinition(expected)?.kind;
  if (kind === "embeddable") {
    const isEmbedded = isObject(value) && foundType(value) === "/type/dict";
    return isEmbedded ? embedded(expected, value, placed) : mismatch(expected, value, placed);
  }
  if (kind === "primitive") return primitiveValue(expected, value) ?? mismatch(expected, value, placed);
  const reference = typeof value === "string" ? { key: value } : value;
  return isReference(reference)
    ? referenceTo(expected, reference, placed)
    : mismatch(expected, value, placed);
}

function referenceTo(expected: string, { key }: { readonly key: string }, placed: Placed): Json {
  const reference = { key: rewriteLegacyKey(key) };
  const type = referencedType(placed.checking, key, placeOf(placed));
  if (type === undefined || type === ANY_TYPE || type === expected) return reference;
  return refused(`expected ${expected}, found ${type}`, reference, placed);
}

/** An object of an embeddable type: pruned, its declared members checked, the others kept, its type added. */
function embedded(type: string, object: CatalogRecord, { checking, path }: Placed): Json {
  const members = Object.entries(object).flatMap(([name, value = null]): [string, Json][] => {
    if (name === "type") return [[name, { key: type }]];
    if (isBlank(value)) return [];
    const property = declaredProperty(type, name);
    return [[name, checked(property, value, { checking, path: `${path}.${name}` })]];
  });
  const record = Object.fromEntries(members);
  return Object.hasOwn(record, "type") ? record : { ...record, type: { key: type } };
}

/** What is not declared stays as it is, but the records that it names must exist, of whatever type. */
function freeValue(value: Json, placed: Placed): Json {
  if (Array.isArray(value)) {
    for (const element of value) freeValue(element, placed);
  } else if (isObject(value)) {
    if (isReference(value) && value.key.startsWith("/")) {
      referencedType(placed.checking, value.key, placeOf(placed));
    } else {
      for (const [name, inner = null] of Object.entries(value)) {
        freeValue(inner, { ...placed, path: `${placed.path}.${name}` });
      }
    }
  }
  return value;
}

function mismatch(expected: string, value: Json, placed: Placed): Json {
  const found = foundInstead(expected, value);
  if (!isReference(value)) return refused(`expected ${expected}, found ${found}`, value, placed);
  const type = referencedType(placed.checking, value.key, placeOf(placed));
  if (type === undefined) return value;
  return refused(`expected ${expected}, found ${type === ANY_TYPE ? found : type}`, value, placed);
}

function refused(message: string, value: Json, placed: Placed): Json {
  placed.checking.fail(badDocument(message, placeOf(placed), value));
  return value;
}

function placeOf({ checking, path }: Placed): FailurePlace {
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

/** The title or name that a new record must have and this one lacks. Records that exist may lack them. */
export function requiredMembers(document: CatalogRecord): WriteFailure | undefined {
  const type = typeKey(document);
  const name = type === undefined ? undefined : REQUIRED.get(type);
  if (type === undefined || name === undefined) return undefined;
  const value = memberOf(document, name);
  // Where the type declares it, the pipeline says what is wrong with a value that is no text.
  const isText = typeof value === "string" || declaredProperty(type, name) !== undefined;
  if (!isBlank(value) && isText) return undefined;
  const { key } = document;
  return badDocument(`missing ${name}`, typeof key === "string" ? { key, property: name } : undefined);
}

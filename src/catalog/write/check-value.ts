import { rewriteLegacyKey } from "../keys.ts";
import { type CatalogRecord, type Json, isObject } from "../record.ts";
import { type PropertyDefinition, declaredProperty, typeDefinition } from "../types.ts";
import type { FailurePlace, WriteFailure } from "./failure.ts";
import { badDocument, missingRecord } from "./failures.ts";
import { foundInstead, foundType, isReference, primitiveValue } from "./primitives.ts";
import { isBlank } from "./prune.ts";
import { isRecordKey } from "./record-key.ts";

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

/** Declared for records of all types, though no type says so (records.md 1.1). */
const PERMISSIONS = new Map(
  ["permission", "child_permission"].map((name) => [
    name,
    { name, expected_type: "/type/permission", unique: true },
  ]),
);

/**
 * Checks a member of a record of this type and returns it as it is stored (records.md 4.5 steps 6 and 7): types of
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
    } else freeMembers(value, placed);
  }
  return value;
}

function freeMembers(object: CatalogRecord, { checking, path }: Placed): void {
  for (const [name, value = null] of Object.entries(object)) {
    freeValue(value, { checking, path: `${path}.${name}` });
  }
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

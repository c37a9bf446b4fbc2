import type { Text } from "../texts.ts";
import { elementsOf, isObject, textOf, typeKeyOf, type CatalogRecord, type Json } from "../record.ts";

/** Returns true for equal values. The order of members does not matter, that of arrays does. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => isSameValue(element, b[index]))
    );
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
  );
}

/** Envelope members that the service sets. Values sent by clients are ignored. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "id",
  "created",
  "last_modified",
  "revision",
  "latest_revision",
]);

/** Returns true for envelope members: the key, the type, and the members that the service sets. */
export function isEnvelope(name: string): boolean {
  return name === "key" || name === "type" || READ_ONLY.has(name);
}

/** Returns true for values that are never stored: null, `[]`, blank strings; but not `false`, 0 and `{}`. */
export function isBlankMember(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  // Q87: a text object without text counts as a blank string.
  const isText = typeof value === "string" || (isObject(value) && value["type"] === "/type/text");
  const text = isText ? textOf(value) : undefined;
  return text !== undefined && text.trim() === "";
}

/** Returns a document's members without envelope and blanks, in order. */
export function contentMembersOf(document: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => !isEnvelope(name) && !isBlankMember(value)),
  );
}

/** Maximum number of values in a list of a work, edition or author. Loaded records may have more. */
export const RECORD_VALUES_MAX = 1000;
/** Maximum length of a text in such a list, in UTF-16 units. */
export const RECORD_VALUE_LENGTH = 500;

const LIMITED_TYPES: ReadonlySet<string> = new Set(["/type/work", "/type/edition", "/type/author"]);

/** Returns the problem with a changed list of a record. Values stored before are accepted. */
export function findListProblem(type: string, value: Json, stored: Json | undefined): Text | undefined {
  if (!LIMITED_TYPES.has(type) || !Array.isArray(value)) return undefined;
  const { length } = value;
  if (length > RECORD_VALUES_MAX && length > elementsOf(stored).length) {
    return { key: "bad_data.list_values", values: { most: RECORD_VALUES_MAX, actual: length } };
  }
  const tooLong = value.some(isTooLong) && newValuesOf(value, stored).find(isTooLong);
  if (typeof tooLong !== "string") return undefined;
  return { key: "bad_data.list_text", values: { most: RECORD_VALUE_LENGTH, actual: tooLong.length } };
}

/** Cuts the lists of an imported record to the limits: removes texts that are too long and surplus values. */
export function cutLists<Members extends CatalogRecord>(
  members: Members,
  stored: CatalogRecord = {},
): Members {
  const type = typeKeyOf(members) ?? "";
  if (!Object.entries(members).some(([name, value = null]) => findListProblem(type, value, stored[name])))
    return members;
  const cut = Object.entries(members).map(([name, value = null]) => {
    if (findListProblem(type, value, stored[name]) === undefined || !Array.isArray(value))
      return [name, value];
    const dropped = new Set<Json>(newValuesOf(value, stored[name]).filter(isTooLong));
    const most = Math.max(RECORD_VALUES_MAX, elementsOf(stored[name]).length);
    return [name, value.filter((element) => !dropped.has(element)).slice(0, most)];
  });
  // Has the same members, with some shorter lists.
  return Object.fromEntries(cut) as Members;
}

function isTooLong(value: Json): boolean {
  return typeof value === "string" && value.length > RECORD_VALUE_LENGTH;
}

function newValuesOf(value: readonly Json[], stored: Json | undefined): Json[] {
  const known = new Set(elementsOf(stored));
  return value.filter((element) => !known.has(element));
}

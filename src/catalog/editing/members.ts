import { type CatalogRecord, type Json, isObject, textOf } from "../record.ts";

/** Returns true for equal values. The order of members does not matter, that of arrays does. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => isSame(element, b[index]))
    );
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
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
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  // Q87: a text object without text counts as a blank string.
  const isText = typeof value === "string" || (isObject(value) && value["type"] === "/type/text");
  const text = isText ? textOf(value) : undefined;
  return text !== undefined && text.trim() === "";
}

/** Returns a document's members without envelope and blanks, in order. */
export function withoutBlanks(document: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => !isEnvelope(name) && !isBlank(value)),
  );
}

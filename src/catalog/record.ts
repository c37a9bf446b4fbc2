import { MIB } from "./units.ts";
export type Json = string | number | boolean | null | Json[] | CatalogRecord;

/**
 * JSON object: a stored document, or an object inside one. Every member is optional, because old revisions may even
 * lack envelope members; `keyOf`, `typeKeyOf` and similar functions read them safely.
 */
export interface CatalogRecord {
  readonly [member: string]: Json | undefined;
}

/** JSON object that is not a record, such as a part of a response. */
export type JsonObject = CatalogRecord;

/** Maximum number of redirects followed in a chain. */
export const REDIRECT_HOPS_MAX = 5;

/** Returns true for JSON objects: neither null nor an array. */
export function isObject(value: unknown): value is CatalogRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the key of a reference `{key}`, a record, or a bare key string such as `/works/OL1W`. */
export function keyOf(reference: Json | undefined): string | undefined {
  if (typeof reference === "string") return reference.startsWith("/") ? reference : undefined;
  if (!isObject(reference)) return undefined;
  const { key } = reference;
  return typeof key === "string" ? key : undefined;
}

/** Returns the keys in a list of references. */
export function keysOf(references: Json | undefined): string[] {
  return elementsOf(references).flatMap((reference) => keyOf(reference) ?? []);
}

/** Returns the keys in one member of a list of objects: authors by `author`, series by `series`. */
export function keysWithin(objects: Json | undefined, member: string): string[] {
  return objectsOf(objects).flatMap((object) => keyOf(object[member]) ?? []);
}

/** Returns the text of a string or a text object `{type: "/type/text", value}`. */
export function textOf(value: Json | undefined): string | undefined {
  const text = isObject(value) ? value["value"] : value;
  return typeof text === "string" ? text : undefined;
}

/** Returns the strings of a member that holds one string or an array. Skips other elements, and trims nothing. */
export function stringsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return elementsOf(value).filter((element) => typeof element === "string");
}

/** Returns the key of the record's type, such as `/type/work`. Old documents have it as a bare string. */
export function typeKeyOf(record: CatalogRecord): string | undefined {
  return keyOf(record["type"]);
}

/** Returns true for the types of deleted and redirected records, which a record of any kind may take on. */
export function isGone(type: string): boolean {
  return type === "/type/delete" || type === "/type/redirect";
}

/** Returns the record of a key, following at most `REDIRECT_HOPS_MAX` redirects among `records`. */
export function resolveRecord(
  records: ReadonlyMap<string, CatalogRecord>,
  key: string,
): CatalogRecord | undefined {
  let record = records.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && record !== undefined; hop += 1) {
    if (typeKeyOf(record) !== "/type/redirect") return record;
    const location = keyOf(record["location"]);
    record = location === undefined ? undefined : records.get(location);
  }
  return record === undefined || typeKeyOf(record) === "/type/redirect" ? undefined : record;
}

/** Returns the authors in `authors` that references `{key}` or roles `{author: {key}}` name, without deleted ones. */
export function authorsOf(
  references: Json | undefined,
  authors: ReadonlyMap<string, CatalogRecord>,
): CatalogRecord[] {
  return authorKeysIn(references).flatMap((key) => {
    const author = resolveRecord(authors, key);
    return author !== undefined && typeKeyOf(author) === "/type/author" ? [author] : [];
  });
}

/** Returns the keys of authors in references or roles. */
export function authorKeysIn(references: Json | undefined): string[] {
  return elementsOf(references).flatMap(
    (reference) => keyOf(isObject(reference) ? (reference["author"] ?? reference) : reference) ?? [],
  );
}

/** Maximum nesting depth of a document that is written. Catalog records are at most 5 deep. */
export const DOCUMENT_DEPTH_MAX = 64;

/** Returns true if a value is nested deeper than `DOCUMENT_DEPTH_MAX`, which could overflow recursive functions. */
export function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > DOCUMENT_DEPTH_MAX) return true;
  return Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** Maximum size of a document in bytes of UTF-8: one MiB. D1 limits rows to 2,000,000 bytes. */
export const DOCUMENT_BYTES = MIB;

/** Returns an own member of a record: a name such as `constructor` must not find an inherited one. */
export function memberOf(record: CatalogRecord, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the record without the named members, or the record itself if it has none of them. */
export function omitMembers(record: CatalogRecord, ...names: readonly string[]): CatalogRecord {
  if (!names.some((name) => Object.hasOwn(record, name))) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Returns the elements of a member that should be an array, or none. */
export function elementsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: Json | undefined): CatalogRecord[] {
  return elementsOf(value).filter(isObject);
}

/** Parses a JSON text. Returns undefined if it is not valid. */
export function tryParseJson(text: string): Json | undefined {
  try {
    // JSON text always parses to a JSON value.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

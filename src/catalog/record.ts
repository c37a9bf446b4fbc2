/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | CatalogRecord;

/**
 * A JSON object: a stored document, or an object inside one. Every member is optional to a reader, since old
 * revisions lack even envelope members; `keyOf`, `typeKey` and their like read them safely.
 */
export interface CatalogRecord {
  readonly [member: string]: Json | undefined;
}

/** A JSON object that is no record: a part of an answer. */
export type JsonObject = CatalogRecord;

/** Hops that a chain of redirects is followed for. */
export const REDIRECT_HOPS_MAX = 5;

/** True for JSON objects: neither null nor an array. */
export function isObject(value: unknown): value is CatalogRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Key of a reference `{key}`, of a record, or of a bare key string such as `/works/OL1W`. */
export function keyOf(reference: Json | undefined): string | undefined {
  if (typeof reference === "string") return reference.startsWith("/") ? reference : undefined;
  if (!isObject(reference)) return undefined;
  const { key } = reference;
  return typeof key === "string" ? key : undefined;
}

/** Keys that a list of references names. */
export function keysOf(references: Json | undefined): string[] {
  return elementsOf(references).flatMap((one) => keyOf(one) ?? []);
}

/** Keys that a list of objects names by one member: authors by `author`, series by `series`. */
export function keysWithin(objects: Json | undefined, member: string): string[] {
  return objectsOf(objects).flatMap((one) => keyOf(one[member]) ?? []);
}

/** Text of a string or a text object `{type: "/type/text", value}`. */
export function textOf(value: Json | undefined): string | undefined {
  const text = isObject(value) ? value["value"] : value;
  return typeof text === "string" ? text : undefined;
}

/** Strings of a member that holds one string or an array; other elements are skipped, nothing is trimmed. */
export function stringsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return elementsOf(value).filter((element) => typeof element === "string");
}

/** Key of the record's type, such as `/type/work`; old documents name it by a bare string. */
export function typeKey(record: CatalogRecord): string | undefined {
  return keyOf(record["type"]);
}

/** True for the types of records that are no more what they were, which a record of any kind may come to have. */
export function isGone(type: string): boolean {
  return type === "/type/delete" || type === "/type/redirect";
}

/** The record of a key among `records`, through at most `REDIRECT_HOPS_MAX` redirects between them. */
export function resolveRecord(
  records: ReadonlyMap<string, CatalogRecord>,
  key: string,
): CatalogRecord | undefined {
  let record = records.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && record !== undefined; hop += 1) {
    if (typeKey(record) !== "/type/redirect") return record;
    const location = keyOf(record["location"]);
    record = location === undefined ? undefined : records.get(location);
  }
  return record === undefined || typeKey(record) === "/type/redirect" ? undefined : record;
}

/** The authors that references `{key}` or roles `{author: {key}}` name, as far as `authors` has them alive. */
export function authorsOf(
  references: Json | undefined,
  authors: ReadonlyMap<string, CatalogRecord>,
): CatalogRecord[] {
  return authorKeys(references).flatMap((key) => {
    const author = resolveRecord(authors, key);
    return author !== undefined && typeKey(author) === "/type/author" ? [author] : [];
  });
}

/** Keys of authors that references or roles name. */
export function authorKeys(references: Json | undefined): string[] {
  return elementsOf(references).flatMap((one) => keyOf(isObject(one) ? (one["author"] ?? one) : one) ?? []);
}

/** How deep values may be nested in a document that is written; catalog records are at most 5 deep. */
export const DOCUMENT_DEPTH_MAX = 64;

/** True when a value is nested deeper than `DOCUMENT_DEPTH_MAX`: what walks through documents would overflow. */
export function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > DOCUMENT_DEPTH_MAX) return true;
  return Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** Largest document in bytes of UTF-8: one MiB; D1 holds 2,000,000 bytes a row. */
export const DOCUMENT_BYTES = 1024 * 1024;

/** A record's own member: a record read from JSON may be asked for `constructor` too. */
export function memberOf(record: CatalogRecord, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The elements of a member that should be an array. */
export function elementsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The objects among them. */
export function objectsOf(value: Json | undefined): CatalogRecord[] {
  return elementsOf(value).filter(isObject);
}

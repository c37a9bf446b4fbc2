import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";

/** Maximum whole number of a document, and of its negation: such engines store them in 32 bits. */
const WHOLE_NUMBER_MAX = 2 ** 31 - 1;

export class UnusableDocument extends Error {}

/** Returns text members; a list of one text counts as the text. Throws UnusableDocument. */
export function textMembers(flat: CatalogRecord, names: readonly string[]): Record<string, string> {
  return readMembers(flat, names, (value, name) => {
    const [text, ...more] = stringsOf(value);
    if (text === undefined || more.length > 0) throw new UnusableDocument(`field '${name}' takes one text`);
    return text;
  });
}

/** Returns lists of texts; one text counts as a list, empty ones are dropped. Throws UnusableDocument. */
export function listMembers(flat: CatalogRecord, names: readonly string[]): Record<string, string[]> {
  const lists = readMembers(flat, names, (value, name) => {
    const texts = stringsOf(value);
    if (texts.length !== (Array.isArray(value) ? value.length : 1)) {
      throw new UnusableDocument(`field '${name}' takes texts`);
    }
    return texts;
  });
  return Object.fromEntries(Object.entries(lists).filter(([, texts]) => texts.length > 0));
}

/** Returns members that are whole numbers. Throws UnusableDocument for other values. */
export function wholeMembers(flat: CatalogRecord, names: readonly string[]): Record<string, number> {
  return readMembers(flat, names, wholeOf);
}

/** Returns members that are lists of whole numbers. Throws UnusableDocument for other values. */
export function wholeListMembers(flat: CatalogRecord, names: readonly string[]): Record<string, number[]> {
  return readMembers(flat, names, (value, name) =>
    (Array.isArray(value) ? value : [value]).map((element) => wholeOf(element, name)),
  );
}

/** Returns the count of a member, 0 if it is absent. Throws UnusableDocument for other values. */
export function countOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : countOf(value, name);
}

/** Returns the number of a member, 0 if it is absent. Throws UnusableDocument for other values. */
export function numberOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : numberOf(value, name);
}

/** Returns the boolean of a member, false if it is absent. Throws UnusableDocument for other values. */
export function booleanOf(flat: CatalogRecord, name: string): boolean {
  const value = flat[name];
  if (value === undefined || typeof value === "boolean") return value ?? false;
  if (value === "true" || value === "false") return value === "true";
  throw new UnusableDocument(`field '${name}' takes true or false`);
}

function readMembers<Value>(
  flat: CatalogRecord,
  names: readonly string[],
  read: (value: Json, name: string) => Value,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const name of names) {
    const value = flat[name];
    if (value !== undefined && value !== null) values[name] = read(value, name);
  }
  return values;
}

/** Returns a value as a count. Throws UnusableDocument for other values; negative ones have no popularity. */
export function countOf(value: Json, name: string): number {
  const number = wholeOf(value, name);
  if (number >= 0) return number;
  throw new UnusableDocument(`field '${name}' takes no negative numbers`);
}

/** Returns a value as a whole number. Throws UnusableDocument for other values: the index has no columns for them. */
export function wholeOf(value: Json, name: string): number {
  const number = numberOf(value, name);
  if (Number.isInteger(number) && Math.abs(number) <= WHOLE_NUMBER_MAX) return number;
  throw new UnusableDocument(`field '${name}' takes whole numbers`);
}

function numberOf(value: Json, name: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new UnusableDocument(`field '${name}' takes numbers`);
}

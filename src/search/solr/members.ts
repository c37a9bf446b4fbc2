import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";

/** Greatest whole number of a document, and the greatest below zero: what such engines keep in 32 bits. */
const WHOLE_NUMBER_MAX = 2 ** 31 - 1;

/** Thrown for a document that cannot be taken; the message says why. */
export class UnusableDocument extends Error {}

/** Text members of a document; a list of one text counts as the text. Absent ones are left out. */
export function textMembers(flat: CatalogRecord, names: readonly string[]): Record<string, string> {
  return members(flat, names, (value, name) => {
    const [text, ...more] = stringsOf(value);
    if (text === undefined || more.length > 0) throw new UnusableDocument(`field '${name}' takes one text`);
    return text;
  });
}

/** Members that are lists of texts; a single text counts as a list. Empty lists are left out. */
export function listMembers(flat: CatalogRecord, names: readonly string[]): Record<string, string[]> {
  const lists = members(flat, names, (value, name) => {
    const texts = stringsOf(value);
    if (texts.length !== (Array.isArray(value) ? value.length : 1)) {
      throw new UnusableDocument(`field '${name}' takes texts`);
    }
    return texts;
  });
  return Object.fromEntries(Object.entries(lists).filter(([, texts]) => texts.length > 0));
}

/** Members that are whole numbers. */
export function wholeMembers(flat: CatalogRecord, names: readonly string[]): Record<string, number> {
  return members(flat, names, wholeOf);
}

/** Members that are lists of whole numbers. */
export function wholeListMembers(flat: CatalogRecord, names: readonly string[]): Record<string, number[]> {
  return members(flat, names, (value, name) =>
    (Array.isArray(value) ? value : [value]).map((one) => wholeOf(one, name)),
  );
}

/** The count of a member, 0 when it is absent. */
export function countOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : countOf(value, name);
}

/** The number of a member, 0 when it is absent. */
export function numberOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : numberOf(value, name);
}

/** The truth of a member, false when it is absent. */
export function truthOf(flat: CatalogRecord, name: string): boolean {
  const value = flat[name];
  if (value === undefined || typeof value === "boolean") return value ?? false;
  if (value === "true" || value === "false") return value === "true";
  throw new UnusableDocument(`field '${name}' takes true or false`);
}

function members<Value>(
  flat: CatalogRecord,
  names: readonly string[],
  read: (value: Json, name: string) => Value,
): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const name of names) {
    const value = flat[name];
    if (value !== undefined && value !== null) found[name] = read(value, name);
  }
  return found;
}

/** The count that a value is; negative ones have no popularity. */
export function countOf(value: Json, name: string): number {
  const number = wholeOf(value, name);
  if (number >= 0) return number;
  throw new UnusableDocument(`field '${name}' takes no negative numbers`);
}

/** The whole number that a value is: the index has columns for no others. */
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

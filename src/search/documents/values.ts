import { type CatalogRecord, type Json, stringsOf, textOf } from "../../catalog/record.ts";

const NONE: readonly never[] = [];
const WHOLE_NUMBER = /^\s*[+-]?\d{1,15}\s*$/;

/** Texts of a member, verbatim; empty ones are left out. */
export function texts(record: CatalogRecord, member: string): readonly string[] {
  const values = record[member];
  if (values === undefined) return NONE;
  if (!Array.isArray(values)) return oneOrNone(textOf(values));
  const found = stringsOf(values);
  return found.length < values.length || found.includes("") ? values.flatMap(textOrNone) : found;
}

/** Texts of a member without blanks around them. */
export function trimmedTexts(record: CatalogRecord, member: string): readonly string[] {
  const found = texts(record, member);
  return found.length === 0 ? found : found.map((text) => text.trim()).filter((text) => text !== "");
}

/** The text of a member; undefined when it is empty. */
export function textMember(record: CatalogRecord, member: string): string | undefined {
  const text = textOf(record[member]);
  return text === "" ? undefined : text;
}

/** The last part of a key: `OL1W` of `/works/OL1W`. */
export function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** A whole number as records write it, in digits or as a text of digits. */
export function wholeNumber(value: Json | undefined): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && WHOLE_NUMBER.test(value));
  // Zero is added so that it has no sign, which JSON does not keep.
  const number = isNumber ? Math.trunc(Number(value)) + 0 : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Values without repeats, as first seen; undefined when there are none. */
export function distinct<Value>(values: readonly Value[]): readonly Value[] | undefined {
  if (values.length < 2) return listOf(values);
  const set = new Set(values);
  return set.size === values.length ? values : [...set];
}

/** The same object without members that are undefined, so that `in` and `Object.keys` tell what there is. */
export function present<Shape extends object>(object: Shape): Shape {
  const kept: Partial<Shape> = {};
  for (const name in object) {
    const value = object[name];
    if (value !== undefined) kept[name] = value;
  }
  // A member that may not be undefined is one that was copied.
  return kept as Shape;
}

/** A list of the values that are there, repeats too; undefined when there are none. */
export function listOf<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Values of one kind over all parts, without repeats, as first seen; undefined when there are none. */
export function gathered<Part, Value>(
  parts: readonly Part[],
  valuesOf: (part: Part) => readonly Value[] | undefined,
): readonly Value[] | undefined {
  const [only] = parts;
  if (only === undefined) return undefined;
  if (parts.length === 1) return distinct(valuesOf(only) ?? NONE);
  let set: Set<Value> | undefined;
  for (const part of parts) {
    const values = valuesOf(part);
    if (values === undefined || values.length === 0) continue;
    set ??= new Set();
    for (const value of values) set.add(value);
  }
  return set === undefined ? undefined : [...set];
}

function textOrNone(value: Json): readonly string[] {
  return oneOrNone(textOf(value));
}

function oneOrNone(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? NONE : [text];
}

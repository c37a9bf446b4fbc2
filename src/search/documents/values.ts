import { type CatalogRecord, type Json, keyOf, stringsOf, textOf } from "../../catalog/record.ts";

const NONE: readonly never[] = [];
const WHOLE_NUMBER = /^\s*[+-]?\d{1,15}\s*$/;

/** Returns the non-empty texts of a member, verbatim. */
export function textsOf(record: CatalogRecord, member: string): readonly string[] {
  const values = record[member];
  if (values === undefined) return NONE;
  if (!Array.isArray(values)) return toList(textOf(values));
  const texts = stringsOf(values);
  return texts.length < values.length || texts.includes("")
    ? values.flatMap((value) => toList(textOf(value)))
    : texts;
}

/** Returns the text of a member, or undefined if it is empty. */
export function textMemberOf(record: CatalogRecord, member: string): string | undefined {
  const text = textOf(record[member]);
  return text === "" ? undefined : text;
}

/** Parses a whole number in a record, given as a number or a text of digits. */
export function wholeNumberOf(value: Json | undefined): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && WHOLE_NUMBER.test(value));
  // Adding zero removes the sign of -0, which JSON does not keep.
  const number = isNumber ? Math.trunc(Number(value)) + 0 : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the distinct values in order of first appearance. Returns undefined if there are none. */
export function deduplicate<Value>(values: readonly Value[]): readonly Value[] | undefined {
  if (values.length < 2) return listOf(values);
  const set = new Set(values);
  return set.size === values.length ? values : [...set];
}

/** Returns a copy without undefined members, so that `in` and `Object.keys` reflect the actual members. */
export function dropUndefined<Shape extends object>(object: Shape): Shape {
  const defined: Partial<Shape> = {};
  for (const name in object) {
    const value = object[name];
    if (value !== undefined) defined[name] = value;
  }
  // A member that may not be undefined has been copied.
  return defined as Shape;
}

/** Returns a list, with duplicates, or undefined if it is empty. */
export function listOf<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Collects the distinct values of all parts in order of first appearance. Returns undefined if there are none. */
export function gather<Part, Value>(
  parts: readonly Part[],
  valuesOf: (part: Part) => readonly Value[] | undefined,
): readonly Value[] | undefined {
  const [only] = parts;
  if (only === undefined) return undefined;
  if (parts.length === 1) return deduplicate(valuesOf(only) ?? NONE);
  let set: Set<Value> | undefined;
  for (const part of parts) {
    const values = valuesOf(part);
    if (values === undefined || values.length === 0) continue;
    set ??= new Set();
    for (const value of values) set.add(value);
  }
  return set === undefined ? undefined : [...set];
}

function toList(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? NONE : [text];
}

/** Returns the first cover of a record. -1 marks a removed cover. */
export function coverOf(record: CatalogRecord): number | undefined {
  const covers = record["covers"];
  if (!Array.isArray(covers)) return undefined;
  return covers.find(
    (cover): cover is number => typeof cover === "number" && Number.isSafeInteger(cover) && cover > 0,
  );
}

/** Returns true if a record has this cover in any position. */
export function hasCover(record: CatalogRecord, cover: number): boolean {
  const covers = record["covers"];
  return Array.isArray(covers) && covers.includes(cover);
}

const LANGUAGE = /^\/(?:languages|l)\/([a-z]{3})$/;

/** Returns the MARC codes of an edition's languages. */
export function languagesOf(edition: CatalogRecord): string[] {
  const { languages } = edition;
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((language) => LANGUAGE.exec(keyOf(language) ?? "")?.[1] ?? []);
}

export const SINE_NOMINE = "Sine nomine";

const NOT_LETTERS = /[^a-zA-Z]/g;
const SINE_NOMINE_LENGTH_MAX = 20;

/** Returns the publishers of an edition. */
export function publishersOf(edition: CatalogRecord): string[] {
  return textsOf(edition, "publishers").map((name) => (isSineNomine(name) ? SINE_NOMINE : name));
}

function isSineNomine(name: string): boolean {
  if (name.length > SINE_NOMINE_LENGTH_MAX) return false;
  return name.replace(NOT_LETTERS, "").toLowerCase() === "sn";
}

/** Returns the median of the numeric page counts, rounded up. Returns undefined if there are none. */
export function medianPagesOf(editions: readonly CatalogRecord[]): number | undefined {
  const pages = editions
    .flatMap((edition) => wholeNumberOf(edition["number_of_pages"]) ?? [])
    .sort((a, b) => a - b);
  const upper = pages[Math.floor(pages.length / 2)];
  const lower = pages[Math.floor((pages.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : Math.ceil((upper + lower) / 2) + 0;
}

/** Returns the Lexile measures of an edition. */
export function lexilesOf(edition: CatalogRecord): number[] {
  const value: Json | undefined = edition["lexile"];
  return (Array.isArray(value) ? value : [value]).flatMap((measure) => wholeNumberOf(measure) ?? []);
}

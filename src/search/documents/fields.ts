import type { Document } from "../engine.ts";
import { matchesGlob } from "../present/glob.ts";

/** Every field that has a value. */
export const ALL_FIELDS: readonly string[] = ["*"];

// Q60: every field has a name that may be asked for, some for nothing.
/** Fields that are searched or sorted by and never returned, not even by `*` (search.md 2.5). */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  "alternative_title",
  "alternative_subtitle",
  "by_statement",
  "text",
  "title_sort",
  "name_sort",
]);

/** Tells whether a field is asked for. */
export type FieldTest = (name: string) => boolean;

/** A page of documents asks with the same list. */
const tests = new WeakMap<readonly string[], FieldTest>();

/** The test for a list of names and globs such as `id_*`; hidden fields are not to be had (search.md 2.5). */
export function fieldTest(fields: readonly string[]): FieldTest {
  const made = tests.get(fields);
  if (made !== undefined) return made;
  const test = makeTest(fields);
  tests.set(fields, test);
  return test;
}

function makeTest(fields: readonly string[]): FieldTest {
  if (fields.includes("*")) return isReturnable;
  const names = new Set(fields);
  const globs = fields.filter((field) => field.includes("*")).map((field) => field.split("*"));
  return (name) => isReturnable(name) && (names.has(name) || globs.some((parts) => matchesGlob(name, parts)));
}

/** The fields of a document that are asked for, in the document's order. */
export function project(document: Document, fields: readonly string[]): Document {
  const wanted = fieldTest(fields);
  return Object.fromEntries(Object.entries(document).filter(([name]) => wanted(name)));
}

/** True for fields that may be returned. */
function isReturnable(name: string): boolean {
  return !HIDDEN_FIELDS.has(name);
}

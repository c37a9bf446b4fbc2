import type { Json } from "../catalog/record.ts";
import type { ImportRecord } from "./record.ts";

/** The record without some of its members. */
export function without(record: ImportRecord, ...names: readonly string[]): ImportRecord {
  if (!names.some((name) => Object.hasOwn(record, name))) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Whether a member says nothing: absent, null, false, 0, or an empty text, list or object. */
export function isFalsy(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  return Object.keys(value).length === 0;
}

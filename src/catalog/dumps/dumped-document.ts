import { rewriteLegacyKey } from "../keys.ts";
import { type CatalogRecord, type Json, isObject } from "../record.ts";

/** Levels of a document in which keys and times are brought to the form of dumps; deeper ones stay as they are. */
export const DUMP_DEPTH_MAX = 64;

/** What nearly no document has: a member `id`, a key of the early years, a time with a blank. */
const IS_CHANGED = /"id":|"key":"\/(?:[abl]|user)\/|"value":"\d{4}-\d\d-\d\d \d/;
const TIME_WITH_BLANK = /^(\d{4}-\d\d-\d\d) (?=\d)/;

/**
 * A stored document as a dump has it (records.md 11.1): no `id` of its own, keys in today's folders, `T` in times. The text
 * itself wherever that is the same.
 */
export function dumpedDocument(document: string): string {
  if (!IS_CHANGED.test(document)) return document;
  // What is stored was checked when it was written.
  const { id: _legacyId, ...members } = JSON.parse(document) as CatalogRecord;
  return JSON.stringify(dumpedMembers(members, 0));
}

function dumpedMembers(object: CatalogRecord, depth: number): CatalogRecord {
  const isTime = object["type"] === "/type/datetime";
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (typeof value !== "string") return [name, dumpedValue(value, depth + 1)];
      if (name === "key") return [name, rewriteLegacyKey(value)];
      return [name, name === "value" && isTime ? value.replace(TIME_WITH_BLANK, "$1T") : value];
    }),
  );
}

function dumpedValue(value: Json | undefined, depth: number): Json | undefined {
  if (depth > DUMP_DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element) => dumpedValue(element, depth + 1) ?? null);
  return isObject(value) ? dumpedMembers(value, depth) : value;
}

import { type Json, isObject } from "../../catalog/record.ts";
import { isSuspectDate } from "../dates.ts";
import { without } from "../members.ts";
import type { ImportRecord } from "../record.ts";
import { hasSourceFrom } from "../sources.ts";

/** Names of nobody. */
const NOBODY: ReadonlySet<string> = new Set(["unknown", "n/a"]);
/** Sources whose dates are believed. */
const BELIEVED: ReadonlySet<string> = new Set(["wikisource"]);

/** Q325: the record with its named authors only, and without a date that means that none is known (import.md 11.1). */
export function cleanedRecord(record: ImportRecord): ImportRecord {
  const { authors } = record;
  const named = { ...record, authors: Array.isArray(authors) ? authors.filter(isNamed) : [] };
  const drop = isSuspectDate(record["publish_date"]) && !hasSourceFrom(record, BELIEVED);
  return drop ? without(named, "publish_date") : named;
}

function isNamed(author: Json): boolean {
  if (!isObject(author)) return false;
  const { name } = author;
  return typeof name === "string" && !NOBODY.has(name.toLowerCase());
}

import { type CatalogRecord, type Json, DOCUMENT_DEPTH_MAX, isObject, isTooDeep } from "../catalog/record.ts";
import { utf8Text } from "../catalog/bytes.ts";
import { ImportFailure } from "./failure.ts";
import type { ImportRecord } from "./record.ts";

/** Parses a record from the bytes of a JSON object. Throws ImportFailure `invalid-json` with the reason. */
export function recordOfJson(bytes: Uint8Array): ImportRecord {
  const text = utf8Text(bytes);
  if (text === undefined) throw new ImportFailure("invalid-json", "The record is not UTF-8");
  return parsedRecord(text);
}

/** Parses a record from the text of a JSON object. Throws ImportFailure `invalid-json` with the reason. */
export function parsedRecord(text: string): ImportRecord {
  const value = parsed(text);
  if (!isObject(value)) throw new ImportFailure("invalid-json", "The record is not a JSON object");
  if (isTooDeep(value)) {
    throw new ImportFailure("invalid-json", `Values are nested deeper than ${DOCUMENT_DEPTH_MAX}`);
  }
  return value;
}

function parsed(text: string): Json {
  try {
    // JSON text always parses to a JSON value.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ImportFailure("invalid-json", error.message);
    throw error;
  }
}

/** Serialises a value with the members of every object sorted by name, the form of queued records. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, member: Json) => (isObject(member) ? sorted(member) : member));
}

function sorted(object: CatalogRecord): CatalogRecord {
  const names = Object.keys(object).toSorted();
  // Created without a prototype, because a member may be named `__proto__`.
  const made: Record<string, Json | undefined> = Object.create(null);
  for (const name of names) made[name] = object[name];
  return made;
}

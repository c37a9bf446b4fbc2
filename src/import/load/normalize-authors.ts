import { type Json, isObject } from "../../catalog/record.ts";
import { canonicalJson } from "../json.ts";
import { ImportFailure } from "../failure.ts";
import type { ImportRecord } from "../record.ts";

/** Maximum number of authors per import record. */
export const IMPORT_AUTHORS_MAX = 250;
/** Members of an author that are read as one text. */
const TEXTS: ReadonlySet<string> = new Set([
  "name",
  "personal_name",
  "entity_type",
  "birth_date",
  "death_date",
  "date",
  "title",
  "numeration",
  "role",
  "key",
]);

/**
 * Returns the record with its distinct authors, each an object with a name. Q323: an author is not rejected for its
 * members: those of an unreadable type are dropped. Throws ImportFailure `invalid-value` if there are too many.
 */
export function withNormalAuthors(record: ImportRecord): ImportRecord {
  const authors = Array.isArray(record["authors"]) ? record["authors"] : [];
  const distinct = new Map<string, ImportRecord>();
  for (const author of authors.flatMap(normalAuthor)) {
    const same = canonicalJson(author);
    if (!distinct.has(same)) distinct.set(same, author);
  }
  if (distinct.size > IMPORT_AUTHORS_MAX) {
    throw new ImportFailure("invalid-value", `authors: more than ${IMPORT_AUTHORS_MAX}`);
  }
  return { ...record, authors: [...distinct.values()] };
}

function normalAuthor(author: Json): ImportRecord[] {
  if (!isObject(author) || typeof author["name"] !== "string" || author["name"].trim() === "") return [];
  const members = Object.entries(author).flatMap(([name, value = null]): [string, Json][] => {
    const readable = value === null ? undefined : readableMember(name, value);
    return readable === undefined ? [] : [[name, readable]];
  });
  return [Object.fromEntries(members)];
}

function readableMember(name: string, value: Json): Json | undefined {
  if (TEXTS.has(name)) {
    // Years are often numbers.
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }
  if (name === "alternate_names") {
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
  }
  if (name !== "remote_ids") return value;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, id]) => typeof id === "string"));
}

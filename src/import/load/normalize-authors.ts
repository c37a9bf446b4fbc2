import { type Json, isObject } from "../../catalog/record.ts";
import { canonicalJson } from "../json.ts";
import { ImportFailure } from "../failure.ts";
import type { ImportRecord } from "../record.ts";

/** Most authors of one import record. */
export const IMPORT_AUTHORS_MAX = 250;
/** Members of an author that rules read as one text. */
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
 * The record with a list of authors, each once, each an object with a name. Q323: an author is not refused for what it
 * holds: members of a type that no rule can read are dropped. Throws ImportFailure `invalid-value` for too many.
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
    // Years are often written as numbers.
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }
  if (name === "alternate_names") {
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
  }
  if (name !== "remote_ids") return value;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, id]) => typeof id === "string"));
}

import { type Json, type JsonObject, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";

/** Fields of the index that the page of a shelf is made from. */
export const READING_LOG_FIELDS: readonly string[] = [
  "title",
  "author_key",
  "author_name",
  "first_publish_year",
  "lending_edition_s",
  "edition_key",
  "cover_i",
  "cover_edition_key",
];

/** A work as the page of a shelf shows it (patrons.md 5.2), under the key by which it is on the shelf. */
export function readingLogWork(key: string, document: Document): JsonObject {
  return {
    title: document["title"] ?? null,
    key,
    author_keys: stringsOf(document["author_key"]).map((olid) => `/authors/${olid}`),
    author_names: stringsOf(document["author_name"]),
    first_publish_year: document["first_publish_year"] ?? null,
    lending_edition_s: document["lending_edition_s"] ?? null,
    edition_key: editionKeys(document["edition_key"]),
    cover_id: document["cover_i"] ?? null,
    cover_edition_key: document["cover_edition_key"] ?? null,
  };
}

/** The same of a work that the index has not: all that is known is what to call it. */
export function titledWork(key: string, title: string): JsonObject {
  return readingLogWork(key, { title });
}

function editionKeys(value: Json | undefined): Json {
  return value === undefined ? null : stringsOf(value);
}

import { type Json, type JsonObject, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { type LendingStates, documentAvailability, scanOf } from "./availability.ts";

/** A work as pages of subjects and publishers show it (lookup.md 9.4). `document` has all fields of the index. */
export function workObject(document: Document, states: LendingStates): JsonObject {
  const collections = stringsOf(document["ia_collection"]);
  const [scan] = stringsOf(document["ia"]);
  return {
    key: document["key"] ?? "",
    title: document["title"] ?? "",
    edition_count: document["edition_count"] ?? 0,
    cover_id: document["cover_i"] ?? null,
    cover_edition_key: document["cover_edition_key"] ?? null,
    subject: stringsOf(document["subject"]),
    ia_collection: collections,
    printdisabled: collections.includes("printdisabled"),
    lending_edition: document["lending_edition_s"] ?? "",
    lending_identifier: document["lending_identifier_s"] ?? "",
    authors: authorReferences(document),
    first_publish_year: document["first_publish_year"] ?? null,
    ia: scan ?? null,
    public_scan: document["public_scan_b"] ?? scan !== undefined,
    has_fulltext: document["has_fulltext"] ?? false,
    ...(scan === undefined ? {} : { availability: workAvailability(document, states) }),
  };
}

function authorReferences(document: Document): JsonObject[] {
  const names = stringsOf(document["author_name"]);
  return stringsOf(document["author_key"]).map((olid, index) => ({
    key: `/authors/${olid}`,
    name: names[index] ?? "",
  }));
}

function workAvailability(document: Document, states: LendingStates): Json {
  const scan = scanOf(document);
  if (scan === undefined) return null;
  const edition =
    document["lending_identifier_s"] === scan ? stringsOf(document["lending_edition_s"])[0] : undefined;
  const work = stringsOf(document["key"])[0]?.split("/").at(-1);
  return documentAvailability(document, { scan, work, edition }, states);
}

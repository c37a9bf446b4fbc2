import { lastSegmentOf } from "../../catalog/keys.ts";
import { type Json, type JsonObject, stringsOf } from "../../catalog/record.ts";
import type { Document, SearchResult } from "../engine.ts";
import { memoizeByObject } from "../text/memo.ts";
import { type LendingStates, documentAvailabilityOf, isLent, scanOf } from "./availability.ts";
import {
  type ChosenEdition,
  type EditionCriteria,
  choiceFieldsOf,
  makeEditionChooser,
} from "./choose-edition.ts";
import { type FieldSelection, project } from "./selected-fields.ts";

export interface FoundWork {
  readonly document: Document;
  readonly score: number;
  readonly chosen: ChosenEdition | undefined;
}

/** Returns the index fields that works are presented from: the wanted ones, and the sources of other members. */
export const workSourceFieldsOf = memoizeByObject((selection: FieldSelection): readonly string[] => [
  ...new Set([...selection.work, "key", "type", ...offerSourcesOf(selection)]),
]);

function offerSourcesOf({ availability, providers }: FieldSelection): readonly string[] {
  return availability || providers.work || providers.edition ? OFFERED_FROM : [];
}

const OFFERED_FROM =
  "ebook_access edition_key first_publish_year ia ia_collection lending_edition_s lending_identifier_s".split(
    " ",
  );

/** Returns the index fields that editions are chosen and presented from. */
export function editionSourceFieldsOf(selection: FieldSelection, editionQuery: EditionCriteria): string[] {
  const chosenFrom = choiceFieldsOf(editionQuery);
  return [...selection.edition, ...chosenFrom, "type", "work_key", ...offerSourcesOf(selection)];
}

export type RecordMembers = ReadonlyMap<string, Document>;

interface ExternalData {
  members: RecordMembers;
  states: LendingStates;
}

/** Returns the works of a page with the best edition of each; none without an edition query. */
export function toFoundWorks(hits: SearchResult, editionQuery: EditionCriteria | undefined): FoundWork[] {
  const choose = editionQuery === undefined ? undefined : makeEditionChooser(editionQuery);
  return hits.documents.map((document, index) => ({
    document,
    score: hits.scores[index] ?? 0,
    chosen: choose?.(hits.editions[index] ?? []),
  }));
}

/** Returns the scans to query lending about for a page with availability. */
export function lentScansOf(works: readonly FoundWork[]): string[] {
  return works
    .map(({ document, chosen }) => chosen?.edition ?? document)
    .filter(isLent)
    .map(scanOf)
    .filter((scan) => scan !== undefined);
}

/** Returns a work as in `/search.json`: index fields, members of its record, its edition, availability. */
export function presentWork(result: FoundWork, fields: FieldSelection, external: ExternalData): Document {
  const { document, score, chosen } = result;
  const { members, states } = external;
  const fieldValues = project(document, fields.work);
  const workMembers: Document = {
    ...(fields.score ? addScore(fieldValues, score) : fieldValues),
    ...members.get(keyOf(document)),
  };
  if (chosen === undefined) {
    return fields.availability ? addAvailability(workMembers, document, states) : workMembers;
  }
  const edition = chosen.edition === undefined ? [] : [presentEdition(chosen.edition, fields, external)];
  const editions = { numFound: chosen.numFound, start: 0, numFoundExact: true, docs: edition };
  const whole: Document = { ...workMembers, editions };
  return fields.availability && chosen.edition === undefined
    ? addAvailability(whole, document, states)
    : whole;
}

function presentEdition(
  edition: Document,
  fields: FieldSelection,
  { members, states }: ExternalData,
): Document {
  const presented = { ...project(edition, fields.edition), ...members.get(keyOf(edition)) };
  return fields.availability ? addAvailability(presented, edition, states) : presented;
}

/** Returns a document with its score among the fields, which are in the order of their names. */
function addScore(document: Document, score: number): Document {
  const members: [string, Json][] = [...Object.entries(document), ["score", score]];
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addAvailability(presented: Document, document: Document, states: LendingStates): Document {
  const availability = availabilityOf(document, states);
  return availability === undefined ? presented : { ...presented, availability };
}

function availabilityOf(document: Document, states: LendingStates): JsonObject | undefined {
  const scan = scanOf(document);
  return scan === undefined
    ? undefined
    : documentAvailabilityOf(document, { scan, ...recordIdsOf(document, scan) }, states);
}

function recordIdsOf(
  document: Document,
  scan: string,
): { work: string | undefined; edition: string | undefined } {
  if (document["type"] === "edition") {
    return { work: stringsOf(document["work_key"])[0], edition: lastSegmentOf(keyOf(document)) };
  }
  const lent =
    document["lending_identifier_s"] === scan ? stringsOf(document["lending_edition_s"])[0] : undefined;
  return { work: lastSegmentOf(keyOf(document)), edition: lent };
}

function keyOf(document: Document): string {
  return stringsOf(document["key"])[0] ?? "";
}

export const PAGE_WORK_FIELDS: readonly string[] = (
  "author_key author_name cover_edition_key cover_i ebook_access edition_count first_publish_year " +
  "has_fulltext ia ia_collection key language lending_edition_s lending_identifier_s public_scan_b subject title " +
  "type"
).split(" ");

/** Returns a work in the form for pages of subjects and publishers. */
export function toWorkObject(document: Document, states: LendingStates): JsonObject {
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
    authors: authorReferencesOf(document),
    first_publish_year: document["first_publish_year"] ?? null,
    ia: scan ?? null,
    public_scan: document["public_scan_b"] ?? scan !== undefined,
    has_fulltext: document["has_fulltext"] ?? false,
    ...(scan === undefined ? {} : { availability: availabilityOf(document, states) ?? null }),
  };
}

function authorReferencesOf(document: Document): JsonObject[] {
  const names = stringsOf(document["author_name"]);
  return stringsOf(document["author_key"]).map((olid, index) => ({
    key: `/authors/${olid}`,
    name: names[index] ?? "",
  }));
}

export const READING_LOG_FIELDS: readonly string[] = (
  "title author_key author_name first_publish_year lending_edition_s edition_key cover_i " +
  "cover_edition_key"
).split(" ");

/** Returns a work in the form for the page of a shelf, under its key on the shelf. */
export function toReadingLogWork(key: string, document: Document): JsonObject {
  return {
    title: document["title"] ?? null,
    key,
    author_keys: stringsOf(document["author_key"]).map((olid) => `/authors/${olid}`),
    author_names: stringsOf(document["author_name"]),
    first_publish_year: document["first_publish_year"] ?? null,
    lending_edition_s: document["lending_edition_s"] ?? null,
    edition_key: document["edition_key"] === undefined ? null : stringsOf(document["edition_key"]),
    cover_id: document["cover_i"] ?? null,
    cover_edition_key: document["cover_edition_key"] ?? null,
  };
}

/** Returns a work missing from the index in the form for the page of a shelf: only its title is known. */
export function toTitledWork(key: string, title: string): JsonObject {
  return toReadingLogWork(key, { title });
}

/** Returns the address of the page of a work in the index; for an edition without a work, that of the edition. */
export function workAddressOf(key: string): string {
  return key.endsWith("M") ? key.replace("/works/", "/books/") : key;
}

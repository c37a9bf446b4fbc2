import type { EbookAccess } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, isObject, textOf } from "../../catalog/record.ts";
import { SINE_NOMINE, coverOf, wholeNumber } from "./values.ts";
import { hasIdentifier } from "./identifiers.ts";
import { hasFulltext, isReadable } from "./scans.ts";
import type { EditionDocument, EditionScores } from "./types.ts";

/** Maximum points of an edition. Points for tags and lists are never given. */
export const ACCESS_POINTS = 367;
export const DISCOVERY_POINTS = 216;
export const EVALUATION_POINTS = 222;
export const USEFULNESS_POINTS = ACCESS_POINTS + DISCOVERY_POINTS + EVALUATION_POINTS;

/** Traits of a work that apply to all its editions. */
export interface WorkTraits {
  readonly records: ReturnType<typeof recordTraits>;
  readonly hasSeries: boolean;
  readonly isClassified: boolean;
  readonly hasLexile: boolean;
  readonly hasRatings: boolean;
  readonly hasReaders: boolean;
  readonly hasFirstYear: boolean;
}

/** Document of an edition without its scores. */
export type UnscoredEdition = Omit<EditionDocument, "scores">;

/** Minimum length of an informative description, exclusive, in UTF-16 units. */
const LONG_DESCRIPTION = 50;
const SELLERS = ["amazon", "better_world_books"];
const FAN_FICTION_HOST = "archiveofourown.org";
const WIKIPEDIA_HOST = "wikipedia.org";

/** Returns the traits that follow from records; `work` is undefined for pseudo-works. */
export function recordTraits(work: CatalogRecord | undefined, authors: readonly CatalogRecord[]) {
  const links = work === undefined ? [] : linksOf(work);
  return {
    description: textOf(work?.["description"]) ?? "",
    isFanFiction: links.some((url) => url.includes(FAN_FICTION_HOST)),
    isInWikipedia:
      (work !== undefined && hasIdentifier(work, ["wikidata"])) ||
      links.some((url) => url.includes(WIKIPEDIA_HOST)),
    hasAuthors: authors.length > 0,
    hasAuthorPhoto: authors.some(hasPhoto),
    hasAuthorBio: authors.some((author) => (textOf(author["bio"]) ?? "") !== ""),
    hasAuthorIdentifiers: authors.some((author) => hasMembers(author["remote_ids"])),
  };
}

/** Returns the points of an edition for access, discovery and evaluation. */
export function editionScores(
  record: CatalogRecord,
  edition: UnscoredEdition,
  work: WorkTraits,
): EditionScores {
  const hasContents = edition.chapter !== undefined;
  return {
    access: accessScore(record, edition, work),
    discovery: discoveryScore(record, edition, work) + points(hasContents, 20),
    evaluation: evaluationScore(record, edition, work) + points(hasContents, 30),
  };
}

function accessScore(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  const hasIsbn = edition.isbn !== undefined;
  return (
    openness(edition.ebook_access) +
    points(hasIsbn || hasIdentifier(record, SELLERS), 25) +
    points(hasIsbn || edition.oclc !== undefined, 25) +
    points(work.records.isFanFiction, 20) +
    points(work.records.isInWikipedia, 20) +
    points((textOf(record["first_sentence"]) ?? "") !== "", 2)
  );
}

function openness(access: EbookAccess): number {
  return points(isReadable(access), 200) + points(hasFulltext(access), 50) + points(access === "public", 25);
}

function discoveryScore(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  return (
    points(edition.title !== undefined, 50) +
    points(work.records.hasAuthors, 40) +
    points(work.hasSeries, 20) +
    points(work.isClassified, 15) +
    points(edition.language !== undefined, 15) +
    points(edition.isbn !== undefined, 15) +
    points(work.hasLexile, 5) +
    points(work.hasRatings, 5) +
    points(work.hasReaders, 3) +
    points(hasMembers(record["contributions"]), 1)
  );
}

function evaluationScore(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  const own = textOf(record["description"]) ?? "";
  const description = own === "" ? work.records.description : own;
  return (
    points(description !== "", 40) +
    points(description.length > LONG_DESCRIPTION, 10) +
    points(coverOf(record) !== undefined, 35) +
    points(work.hasRatings, 20) +
    points(work.hasReaders, 10) +
    points((wholeNumber(record["number_of_pages"]) ?? 0) > 0, 10) +
    points(work.hasSeries, 10) +
    points(work.records.hasAuthorPhoto, 5) +
    points(work.hasFirstYear, 5) +
    points(edition.publish_year !== undefined, 5) +
    points(work.records.hasAuthorBio, 3) +
    points(edition.publisher?.some((name) => name !== SINE_NOMINE) === true, 2) +
    points(work.records.hasAuthorIdentifiers, 2)
  );
}

function points(earned: boolean, count: number): number {
  return earned ? count : 0;
}

function linksOf(work: CatalogRecord): string[] {
  const { links } = work;
  if (!Array.isArray(links)) return [];
  return links.flatMap((link) => (isObject(link) ? (textOf(link["url"]) ?? []) : []));
}

function hasPhoto(author: CatalogRecord): boolean {
  const { photos } = author;
  return Array.isArray(photos) && photos.some((photo) => typeof photo === "number" && photo > 0);
}

function hasMembers(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}

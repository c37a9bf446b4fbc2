import type { EbookAccess } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, isObject, textOf } from "../../catalog/record.ts";
import { SINE_NOMINE, coverOf, wholeNumberOf } from "./values.ts";
import { hasIdentifier } from "./identifiers.ts";
import { countRatings, countReaders } from "./popularity.ts";
import { hasFulltext, isReadable } from "./scans.ts";
import type { EditionDocument, EditionScores, WorkCounts } from "./types.ts";

export const ACCESS_POINTS = 367;
export const DISCOVERY_POINTS = 216;
export const EVALUATION_POINTS = 222;
export const USEFULNESS_POINTS = ACCESS_POINTS + DISCOVERY_POINTS + EVALUATION_POINTS;

export interface WorkTraits {
  readonly records: ReturnType<typeof recordTraitsOf>;
  readonly hasSeries: boolean;
  readonly isClassified: boolean;
  readonly hasLexile: boolean;
  readonly counts: WorkCounts;
  readonly hasFirstYear: boolean;
}

export type UnscoredEdition = Omit<EditionDocument, "scores">;

const LONG_DESCRIPTION = 50;
const SELLERS = ["amazon", "better_world_books"];
const FAN_FICTION_HOST = "archiveofourown.org";
const WIKIPEDIA_HOST = "wikipedia.org";

/** Returns the traits that follow from records; `work` is undefined for pseudo-works. */
export function recordTraitsOf(work: CatalogRecord | undefined, authors: readonly CatalogRecord[]) {
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

/** Returns the points of every edition that follow from the counts of its work. */
export function readerPointsOf(counts: WorkCounts): Pick<EditionScores, "discovery" | "evaluation"> {
  const hasRatings = countRatings(counts.ratings) > 0;
  const hasReaders = countReaders(counts) > 0;
  return {
    discovery: pointsIf(hasRatings, 5) + pointsIf(hasReaders, 3),
    evaluation: pointsIf(hasRatings, 20) + pointsIf(hasReaders, 10),
  };
}

/** Returns the points of an edition for access, discovery and evaluation. */
export function scoreEdition(
  record: CatalogRecord,
  edition: UnscoredEdition,
  work: WorkTraits,
): EditionScores {
  const hasContents = edition.chapter !== undefined;
  return {
    access: scoreAccess(record, edition, work),
    discovery: scoreDiscovery(record, edition, work) + pointsIf(hasContents, 20),
    evaluation: scoreEvaluation(record, edition, work) + pointsIf(hasContents, 30),
  };
}

function scoreAccess(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  const hasIsbn = edition.isbn !== undefined;
  return (
    scoreOpenness(edition.ebook_access) +
    pointsIf(hasIsbn || hasIdentifier(record, SELLERS), 25) +
    pointsIf(hasIsbn || edition.oclc !== undefined, 25) +
    pointsIf(work.records.isFanFiction, 20) +
    pointsIf(work.records.isInWikipedia, 20) +
    pointsIf((textOf(record["first_sentence"]) ?? "") !== "", 2)
  );
}

function scoreOpenness(access: EbookAccess): number {
  return (
    pointsIf(isReadable(access), 200) + pointsIf(hasFulltext(access), 50) + pointsIf(access === "public", 25)
  );
}

function scoreDiscovery(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  return (
    pointsIf(edition.title !== undefined, 50) +
    pointsIf(work.records.hasAuthors, 40) +
    pointsIf(work.hasSeries, 20) +
    pointsIf(work.isClassified, 15) +
    pointsIf(edition.language !== undefined, 15) +
    pointsIf(edition.isbn !== undefined, 15) +
    pointsIf(work.hasLexile, 5) +
    readerPointsOf(work.counts).discovery +
    pointsIf(hasMembers(record["contributions"]), 1)
  );
}

function scoreEvaluation(record: CatalogRecord, edition: UnscoredEdition, work: WorkTraits): number {
  const editionDescription = textOf(record["description"]) ?? "";
  const description = editionDescription === "" ? work.records.description : editionDescription;
  return (
    pointsIf(description !== "", 40) +
    pointsIf(description.length > LONG_DESCRIPTION, 10) +
    pointsIf(coverOf(record) !== undefined, 35) +
    readerPointsOf(work.counts).evaluation +
    pointsIf((wholeNumberOf(record["number_of_pages"]) ?? 0) > 0, 10) +
    pointsIf(work.hasSeries, 10) +
    pointsIf(work.records.hasAuthorPhoto, 5) +
    pointsIf(work.hasFirstYear, 5) +
    pointsIf(edition.publish_year !== undefined, 5) +
    pointsIf(work.records.hasAuthorBio, 3) +
    pointsIf(edition.publisher?.some((name) => name !== SINE_NOMINE) === true, 2) +
    pointsIf(work.records.hasAuthorIdentifiers, 2)
  );
}

function pointsIf(earned: boolean, count: number): number {
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

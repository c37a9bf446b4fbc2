import { lastSegment } from "../../catalog/keys.ts";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { type EbookAccess, higherAccess } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import { chooseSortingDdc, normalizeDdc } from "../text/ddc.ts";
import { chooseSortingLcc, toSortableLcc } from "../text/lcc.ts";
import type { AuthorNames } from "./author.ts";
import { buildEdition } from "./edition.ts";
import { ratingsCount, readinglogCount } from "./popularity.ts";
import { scansOf } from "./scans.ts";
import { type UnscoredEdition, type WorkTraits, editionScores, recordTraits } from "./scorecard.ts";
import { seriesOf } from "./series.ts";
import { UNTITLED, alternativeTitles, titleOf } from "./titles.ts";
import type { EditionDocument, WorkSources } from "./types.ts";
import { coverOf, distinct, gathered, hasCover, lexilesOf, texts } from "./values.ts";

/** "Biography", which some editions name beside the number of their subject. */
const BIOGRAPHY = new Set(["92", "920", "092"]);

/** Class numbers of all editions in the forms in which they sort, and those that the work is sorted by. */
function classificationsOf(editions: readonly CatalogRecord[]) {
  const lcc = gathered(editions, (edition) =>
    texts(edition, "lc_classifications").flatMap((raw) => toSortableLcc(raw) ?? []),
  );
  const ddc = gathered(editions, (edition) => deweyNumbers(edition).flatMap(normalizeDdc));
  return {
    lcc,
    lccSort: lcc === undefined ? undefined : chooseSortingLcc(lcc),
    ddc,
    ddcSort: ddc === undefined ? undefined : chooseSortingDdc(ddc),
  };
}

function deweyNumbers(edition: CatalogRecord): readonly string[] {
  const numbers = texts(edition, "dewey_decimal_class");
  return numbers.length > 1 ? numbers.filter((number) => !BIOGRAPHY.has(number)) : numbers;
}

const MS_PER_SECOND = 1000;
const WORKS = "/works/";

/** What several members of a work's document follow from; editions are in order of number. */
type WorkParts = ReturnType<typeof partsOf>;

/**
 * The work's record. What an edition without work gives to the pseudo-work that stands for it is no more than its
 * title and subjects. Throws RangeError when there is no edition either.
 */
export function workRecord({ work, editions }: WorkSources): CatalogRecord {
  if (work !== undefined) return work;
  const [edition] = editions;
  if (edition === undefined) throw new RangeError("A document is made of a work or an edition");
  return {
    key: WORKS + lastSegment(keyOf(edition) ?? ""),
    title: titleOf(edition),
    subjects: edition["subjects"],
    subject_places: edition["subject_places"],
    subject_people: edition["subject_people"],
    subject_times: edition["subject_times"],
  };
}

/** The parts of a work; `record` is that of `workRecord`. */
export function partsOf(record: CatalogRecord, authors: AuthorNames, sources: WorkSources) {
  const context = {
    workOlid: lastSegment(keyOf(record) ?? ""),
    workSubjects: texts(record, "subjects"),
    items: sources.items,
    covers: sources.covers,
    deriveItems: sources.deriveItems,
    authors,
  };
  const editions = sources.editions.map((edition) => buildEdition(edition, context));
  const titled = editions.find((edition) => edition.title !== undefined);
  return {
    editions,
    // Q62: a work without any title has a name that no reader would give it.
    title: titleOf(record) ?? titled?.title ?? UNTITLED,
    cover: workCover(record, editions, sources),
    series: seriesOf([record, ...sources.editions], sources.series),
    classes: classificationsOf(sources.editions),
    scans: scansOf(editions),
    years: gathered(editions, (edition) => edition.publish_year),
    lexile: gathered(sources.editions, lexilesOf),
  };
}

/** Every title that the work or one of its editions has, the work's first. */
export function allTitles(
  record: CatalogRecord,
  editions: readonly UnscoredEdition[],
): readonly string[] | undefined {
  const titles = alternativeTitles(record);
  for (const edition of editions) titles.push(...(edition.alternative_title ?? []));
  return distinct(titles);
}

/** The editions with their scores. */
export function scoredEditions(parts: WorkParts, sources: WorkSources): readonly EditionDocument[] {
  const traits = traitsOf(parts, sources);
  return parts.editions.map((edition, position) => ({
    ...edition,
    scores: editionScores(sources.editions[position] ?? {}, edition, traits),
  }));
}

/** Newest time of change of a work and its editions, in seconds since the epoch; 0 when no record tells. */
export function lastModified(work: CatalogRecord, editions: readonly CatalogRecord[]): number {
  let newest = textOf(work["last_modified"]) ?? "";
  for (const edition of editions) {
    const text = textOf(edition["last_modified"]) ?? "";
    // Stored times have one form, in which the order of texts is that of times.
    if (text > newest) newest = text;
  }
  const milliseconds = datetimeMilliseconds(newest);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / MS_PER_SECOND);
}

/** The access of a work is that of its most open edition. */
export function highestAccess(editions: readonly UnscoredEdition[]): EbookAccess {
  return editions.map((edition) => edition.ebook_access).reduce<EbookAccess>(higherAccess, "no_ebook");
}

/** The cover of a work, with the OLID of the first edition that has it too. */
function workCover(record: CatalogRecord, editions: readonly UnscoredEdition[], sources: WorkSources) {
  const number = coverOf(record) ?? editions.find((edition) => edition.cover_i !== undefined)?.cover_i;
  if (number === undefined) return undefined;
  const edition = sources.editions.find((each) => hasCover(each, number));
  const size = sources.covers?.get(number);
  return { number, size, edition: edition === undefined ? undefined : lastSegment(keyOf(edition) ?? "") };
}

function traitsOf(parts: WorkParts, { work, authors, counts }: WorkSources): WorkTraits {
  return {
    records: recordTraits(work, authors),
    hasSeries: parts.series !== undefined,
    isClassified: parts.classes.lcc !== undefined || parts.classes.ddc !== undefined,
    hasLexile: parts.lexile !== undefined,
    hasRatings: ratingsCount(counts.ratings) > 0,
    hasReaders: readinglogCount(counts) > 0,
    hasFirstYear: parts.years !== undefined,
  };
}

import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { type EbookAccess, higherAccess } from "../../catalog/ebook-access.ts";
import { lastSegment } from "../../catalog/keys.ts";
import {
  type CatalogRecord,
  type Json,
  isObject,
  keyOf,
  resolveRecord,
  textOf,
} from "../../catalog/record.ts";
import { chooseSortingDdc, chooseSortingLcc, normalizeDdc, toSortableLcc } from "../text/classifications.ts";
import { buildEdition } from "./edition.ts";
import type { AuthorNames } from "./named-documents.ts";
import { countReaders, ratingsCount } from "./popularity.ts";
import { scansOf } from "./scans.ts";
import { type UnscoredEdition, type WorkTraits, recordTraitsOf, scoreEdition } from "./scorecard.ts";
import { UNTITLED, alternativeTitlesOf, titleOf } from "./titles.ts";
import type { EditionDocument, WorkSources } from "./types.ts";
import { coverOf, deduplicate, gather, hasCover, lexilesOf, textsOf } from "./values.ts";

interface SeriesEdge {
  key: string;
  name: string;
  position: string;
}

function seriesOf(records: readonly CatalogRecord[], known: ReadonlyMap<string, CatalogRecord>) {
  const edges = new Map<string, SeriesEdge>();
  for (const { series } of records) {
    if (!Array.isArray(series)) continue;
    for (const value of series) {
      const edge = edgeOf(value, known);
      if (edge !== undefined && !edges.has(edge.key)) edges.set(edge.key, edge);
    }
  }
  if (edges.size === 0) return undefined;
  const all = [...edges.values()];
  return {
    keys: all.map((edge) => lastSegment(edge.key)),
    names: all.map((edge) => edge.name),
    positions: all.map((edge) => edge.position),
  };
}

function edgeOf(value: Json, known: ReadonlyMap<string, CatalogRecord>): SeriesEdge | undefined {
  const seriesKey = isObject(value) ? keyOf(value["series"]) : undefined;
  if (seriesKey === undefined || !isObject(value)) return undefined;
  const record = resolveRecord(known, seriesKey);
  const key = (record === undefined ? undefined : keyOf(record)) ?? seriesKey;
  const name = record === undefined ? undefined : textOf(record["name"]);
  const position = value["position"];
  return {
    key,
    // Q68: a series without a record, or without a name, is shown by its key.
    name: name === undefined || name === "" ? key : name,
    position: typeof position === "number" ? String(position) : (textOf(position) ?? ""),
  };
}

/** Class numbers of "Biography", which some editions have besides that of their subject. */
const BIOGRAPHY = new Set(["92", "920", "092"]);

function classificationsOf(editions: readonly CatalogRecord[]) {
  const lcc = gather(editions, (edition) =>
    textsOf(edition, "lc_classifications").flatMap((raw) => toSortableLcc(raw) ?? []),
  );
  const ddc = gather(editions, (edition) => deweyNumbersOf(edition).flatMap(normalizeDdc));
  return {
    lcc,
    lccSort: lcc === undefined ? undefined : chooseSortingLcc(lcc),
    ddc,
    ddcSort: ddc === undefined ? undefined : chooseSortingDdc(ddc),
  };
}

function deweyNumbersOf(edition: CatalogRecord): readonly string[] {
  const numbers = textsOf(edition, "dewey_decimal_class");
  return numbers.length > 1 ? numbers.filter((number) => !BIOGRAPHY.has(number)) : numbers;
}

const MS_PER_SECOND = 1000;
const WORKS = "/works/";

type WorkParts = ReturnType<typeof partsOf>;

/** Returns the work's record, for a pseudo-work one of its edition. Throws RangeError without either. */
export function workRecordOf({ work, editions }: WorkSources): CatalogRecord {
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

/** Builds the intermediate data of a work; `record` is that of `workRecordOf`. */
export function partsOf(record: CatalogRecord, authors: AuthorNames, sources: WorkSources) {
  const context = {
    workOlid: lastSegment(keyOf(record) ?? ""),
    workSubjects: textsOf(record, "subjects"),
    items: sources.items,
    covers: sources.covers,
    deriveItems: sources.deriveItems,
    authors,
  };
  const editions = sources.editions.map((edition) => buildEdition(edition, context));
  const titled = editions.find((edition) => edition.title !== undefined);
  return {
    editions,
    // Q62: a work without any title gets a name that no reader would give it.
    title: titleOf(record) ?? titled?.title ?? UNTITLED,
    cover: workCoverOf(record, editions, sources),
    series: seriesOf([record, ...sources.editions], sources.series),
    classes: classificationsOf(sources.editions),
    scans: scansOf(editions),
    years: gather(editions, (edition) => edition.publish_year),
    lexile: gather(sources.editions, lexilesOf),
  };
}

/** Returns the distinct titles of the work and its editions, the work's first. */
export function distinctTitlesOf(
  record: CatalogRecord,
  editions: readonly UnscoredEdition[],
): readonly string[] | undefined {
  const titles = alternativeTitlesOf(record);
  for (const edition of editions) titles.push(...(edition.alternative_title ?? []));
  return deduplicate(titles);
}

/** Returns the editions with their scores. */
export function scoreEditions(parts: WorkParts, sources: WorkSources): readonly EditionDocument[] {
  const traits = traitsOf(parts, sources);
  return parts.editions.map((edition, position) => ({
    ...edition,
    scores: scoreEdition(sources.editions[position] ?? {}, edition, traits),
  }));
}

/** Returns the newest time of change of a work and its editions, in seconds since the epoch; 0 if no record has one. */
export function lastModifiedOf(work: CatalogRecord, editions: readonly CatalogRecord[]): number {
  let newest = textOf(work["last_modified"]) ?? "";
  for (const edition of editions) {
    const text = textOf(edition["last_modified"]) ?? "";
    // Stored times have one form, in which text order is time order.
    if (text > newest) newest = text;
  }
  const milliseconds = datetimeMilliseconds(newest);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / MS_PER_SECOND);
}

/** Returns the access level of a work: that of its most open edition. */
export function highestAccessOf(editions: readonly UnscoredEdition[]): EbookAccess {
  return editions.map((edition) => edition.ebook_access).reduce<EbookAccess>(higherAccess, "no_ebook");
}

function workCoverOf(record: CatalogRecord, editions: readonly UnscoredEdition[], sources: WorkSources) {
  const number = coverOf(record) ?? editions.find((edition) => edition.cover_i !== undefined)?.cover_i;
  if (number === undefined) return undefined;
  const edition = sources.editions.find((each) => hasCover(each, number));
  const size = sources.covers?.get(number);
  return { number, size, edition: edition === undefined ? undefined : lastSegment(keyOf(edition) ?? "") };
}

function traitsOf(parts: WorkParts, { work, authors, counts }: WorkSources): WorkTraits {
  return {
    records: recordTraitsOf(work, authors),
    hasSeries: parts.series !== undefined,
    isClassified: parts.classes.lcc !== undefined || parts.classes.ddc !== undefined,
    hasLexile: parts.lexile !== undefined,
    hasRatings: ratingsCount(counts.ratings) > 0,
    hasReaders: countReaders(counts) > 0,
    hasFirstYear: parts.years !== undefined,
  };
}

import { parseDatetime } from "../../catalog/datetime.ts";
import { type EbookAccess, higherAccessOf } from "../../catalog/ebook-access.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { earliestDateOf, publicationDatesOf } from "../../catalog/publication-date.ts";
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
import { mergeIdentifiers } from "./identifiers.ts";
import { type AuthorNames, authorNamesOf } from "./named-documents.ts";
import { deduplicateIgnoringCase, hasFulltext, isEbook, scansOf, sortCollections } from "./scans.ts";
import { type UnscoredEdition, type WorkTraits, recordTraitsOf, scoreEdition } from "./scorecard.ts";
import { alternativeTitlesOf, sortingTitleOf, titleOf, UNTITLED } from "./titles.ts";
import type { EditionDocument, WorkDocument, WorkSources } from "./types.ts";
import {
  coverOf,
  deduplicate,
  dropUndefined,
  gather,
  hasCover,
  lexilesOf,
  listOf,
  medianPagesOf,
  textMemberOf,
  textsOf,
} from "./values.ts";

/** Builds a work's document with its editions. Throws RangeError without a work and an edition. */
export function buildWork(sources: WorkSources): WorkDocument {
  const work = draftWork(sources);
  return dropUndefined({ ...work, editions: work.editions.map(dropUndefined) });
}

/**
 * Builds the document with missing members set to undefined, which its JSON omits. A single literal gives all documents
 * one hidden class; otherwise processing them, by the thousand in an index rebuild, takes several times as long.
 */
export function draftWork(sources: WorkSources): WorkDocument {
  const record = workRecordOf(sources);
  const names = authorNamesOf(sources.authors);
  const parts = partsOf(record, names, sources);
  const { editions, title, cover, series, classes, scans, access } = parts;
  const records = sources.editions;
  const subtitle = textMemberOf(record, "subtitle");
  return {
    key: keyOf(record) ?? "",
    type: "work",
    title,
    subtitle,
    title_sort: sortingTitleOf(title, subtitle, textMemberOf(record, "title_article")),
    alternative_title: parts.titles,
    alternative_subtitle: deduplicate(editions.flatMap((edition) => edition.subtitle ?? [])),
    chapter: gather(editions, (edition) => edition.chapter),
    by_statement: gather(records, (edition) => textsOf(edition, "by_statement")),
    first_sentence: gather(records, (edition) => textsOf(edition, "first_sentence")),
    edition_count: editions.length,
    edition_key: deduplicate(editions.map((edition) => lastSegmentOf(edition.key))),
    cover_i: cover?.number,
    cover_width: cover?.size?.cover_width,
    cover_height: cover?.size?.cover_height,
    cover_edition_key: cover?.edition,
    language: gather(editions, (edition) => edition.language),
    lccn: gather(editions, (edition) => edition.lccn),
    oclc: gather(editions, (edition) => edition.oclc),
    isbn: gather(editions, (edition) => edition.isbn),
    publisher: gather(editions, (edition) => edition.publisher),
    publish_place: gather(records, (edition) => textsOf(edition, "publish_places")),
    publish_date: gather(editions, (edition) => edition.publish_date),
    publish_year: parts.years,
    // Q691: a year that is known beats one with unknown digits.
    first_publish_year: earliestDateOf(records.flatMap((edition) => publicationDatesOf(edition)))?.year,
    format: gather(editions, (edition) => edition.format),
    contributor: gather(records, (edition) => textsOf(edition, "contributions")),
    number_of_pages_median: medianPagesOf(records),
    lexile: parts.lexile,
    ia: scans.ia,
    ia_collection: sortCollections(editions.flatMap((edition) => edition.ia_collection ?? [])),
    ia_box_id: deduplicateIgnoringCase(gather(editions, (edition) => edition.ia_box_id)),
    lending_edition_s: scans.lendingEdition,
    lending_identifier_s: scans.lendingIdentifier,
    printdisabled_s: scans.printdisabled,
    ebook_access: access,
    ebook_provider: gather(editions, (edition) => edition.ebook_provider),
    has_fulltext: hasFulltext(access),
    public_scan_b: access === "public",
    ebook_count_i: editions.filter((edition) => isEbook(edition.ebook_access)).length,
    subject: listOf(textsOf(record, "subjects")),
    place: listOf(textsOf(record, "subject_places")),
    person: listOf(textsOf(record, "subject_people")),
    time: listOf(textsOf(record, "subject_times")),
    author_key: names.keys,
    author_name: names.names,
    author_alternative_name: names.alternatives,
    series_key: series?.keys,
    series_name: series?.names,
    series_position: series?.positions,
    lcc: classes.lcc,
    lcc_sort: classes.lccSort,
    ddc: classes.ddc,
    ddc_sort: classes.ddcSort,
    identifiers: mergeIdentifiers(editions.map((edition) => edition.identifiers)),
    last_modified_i: lastModifiedOf(record, records),
    osp_count: sources.osp,
    counts: sources.counts,
    editions: scoreEditions(parts, sources),
  };
}

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
    keys: all.map((edge) => lastSegmentOf(edge.key)),
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

type WorkParts = ReturnType<typeof partsOf>;

/** Returns the work's record, for a pseudo-work one of its edition. Throws RangeError without either. */
function workRecordOf({ work, editions }: WorkSources): CatalogRecord {
  if (work !== undefined) return work;
  const [edition] = editions;
  if (edition === undefined) throw new RangeError("A document is made of a work or an edition");
  return {
    key: `/works/${lastSegmentOf(keyOf(edition) ?? "")}`,
    title: titleOf(edition),
    subjects: edition["subjects"],
    subject_places: edition["subject_places"],
    subject_people: edition["subject_people"],
    subject_times: edition["subject_times"],
  };
}

/** Builds the intermediate data of a work; `record` is that of `workRecordOf`. */
function partsOf(record: CatalogRecord, authors: AuthorNames, sources: WorkSources) {
  const context = {
    workOlid: lastSegmentOf(keyOf(record) ?? ""),
    workSubjects: textsOf(record, "subjects"),
    items: sources.items,
    covers: sources.covers,
    deriveItems: sources.deriveItems,
    authors,
  };
  const editions = sources.editions.map((edition) => buildEdition(edition, context));
  const editionTitles = editions.flatMap((edition) => edition.alternative_title ?? []);
  const titled = editions.find((edition) => edition.title !== undefined);
  return {
    editions,
    // Q62: a work without any title gets a name that no reader would give it.
    title: titleOf(record) ?? titled?.title ?? UNTITLED,
    titles: deduplicate([...alternativeTitlesOf(record), ...editionTitles]),
    access: editions.map((edition) => edition.ebook_access).reduce<EbookAccess>(higherAccessOf, "no_ebook"),
    cover: workCoverOf(record, editions, sources),
    series: seriesOf([record, ...sources.editions], sources.series),
    classes: classificationsOf(sources.editions),
    scans: scansOf(editions),
    years: gather(editions, (edition) => edition.publish_year),
    lexile: gather(sources.editions, lexilesOf),
  };
}

function scoreEditions(parts: WorkParts, sources: WorkSources): readonly EditionDocument[] {
  const traits = traitsOf(parts, sources);
  return parts.editions.map((edition, position) => ({
    ...edition,
    scores: scoreEdition(sources.editions[position] ?? {}, edition, traits),
  }));
}

/** Returns the newest time of change, in seconds since the epoch; 0 if no record has one. */
function lastModifiedOf(work: CatalogRecord, editions: readonly CatalogRecord[]): number {
  let newest = textOf(work["last_modified"]) ?? "";
  for (const edition of editions) {
    const text = textOf(edition["last_modified"]) ?? "";
    // Stored times have one form, in which text order is time order.
    if (text > newest) newest = text;
  }
  const milliseconds = parseDatetime(newest);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / MS_PER_SECOND);
}

function workCoverOf(record: CatalogRecord, editions: readonly UnscoredEdition[], sources: WorkSources) {
  const number = coverOf(record) ?? editions.find((edition) => edition.cover_i !== undefined)?.cover_i;
  if (number === undefined) return undefined;
  const edition = sources.editions.find((each) => hasCover(each, number));
  const size = sources.covers?.get(number);
  return { number, size, edition: edition === undefined ? undefined : lastSegmentOf(keyOf(edition) ?? "") };
}

function traitsOf(parts: WorkParts, { work, authors, counts }: WorkSources): WorkTraits {
  return {
    records: recordTraitsOf(work, authors),
    hasSeries: parts.series !== undefined,
    isClassified: parts.classes.lcc !== undefined || parts.classes.ddc !== undefined,
    hasLexile: parts.lexile !== undefined,
    counts,
    hasFirstYear: parts.years !== undefined,
  };
}

import { lastSegment } from "../../catalog/keys.ts";
import { keyOf } from "../../catalog/record.ts";
import { authorNamesOf } from "./named-documents.ts";
import { mergeIdentifiers } from "./identifiers.ts";
import { deduplicateIgnoringCase, hasFulltext, isEbook, sortCollections } from "./scans.ts";
import type { WorkDocument, WorkSources } from "./types.ts";
import { sortingTitleOf } from "./titles.ts";
import {
  deduplicate,
  dropUndefined,
  gather,
  listOf,
  medianPagesOf,
  smallestOf,
  textMemberOf,
  textsOf,
} from "./values.ts";
import {
  distinctTitlesOf,
  highestAccessOf,
  lastModifiedOf,
  partsOf,
  scoreEditions,
  workRecordOf,
} from "./work-parts.ts";

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
  const { editions, title, cover, series, classes, scans } = parts;
  const records = sources.editions;
  const access = highestAccessOf(editions);
  const subtitle = textMemberOf(record, "subtitle");
  return {
    key: keyOf(record) ?? "",
    type: "work",
    title,
    subtitle,
    title_sort: sortingTitleOf(title, subtitle),
    alternative_title: distinctTitlesOf(record, editions),
    alternative_subtitle: deduplicate(editions.flatMap((edition) => edition.subtitle ?? [])),
    chapter: gather(editions, (edition) => edition.chapter),
    by_statement: gather(records, (edition) => textsOf(edition, "by_statement")),
    first_sentence: gather(records, (edition) => textsOf(edition, "first_sentence")),
    edition_count: editions.length,
    edition_key: deduplicate(editions.map((edition) => lastSegment(edition.key))),
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
    first_publish_year: smallestOf(parts.years),
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

import { lastSegment } from "../../catalog/keys.ts";
import { keyOf } from "../../catalog/record.ts";
import { authorNames } from "./author.ts";
import { mergedIdentifiers } from "./identifiers.ts";
import { distinctIgnoringCase, hasFulltext, isEbook, sortedCollections } from "./scans.ts";
import type { WorkDocument, WorkSources } from "./types.ts";
import { titleForSorting } from "./titles.ts";
import { distinct, gathered, listOf, medianPages, present, smallest, textMember, texts } from "./values.ts";
import { allTitles, highestAccess, lastModified, partsOf, scoredEditions, workRecord } from "./work-parts.ts";

/**
 * Builds the document of a work with its editions. Pure function of the records. Throws RangeError if there is neither
 * a work nor an edition.
 */
export function buildWork(sources: WorkSources): WorkDocument {
  const work = draftWork(sources);
  return present({ ...work, editions: work.editions.map(present) });
}

/**
 * Builds the document with missing members set to undefined, which its JSON omits. A single literal gives all documents
 * one hidden class; otherwise processing them, by the thousand in an index rebuild, takes several times as long.
 */
export function draftWork(sources: WorkSources): WorkDocument {
  const record = workRecord(sources);
  const names = authorNames(sources.authors);
  const parts = partsOf(record, names, sources);
  const { editions, title, cover, series, classes, scans } = parts;
  const records = sources.editions;
  const access = highestAccess(editions);
  const subtitle = textMember(record, "subtitle");
  return {
    key: keyOf(record) ?? "",
    type: "work",
    title,
    subtitle,
    title_sort: titleForSorting(title, subtitle),
    alternative_title: allTitles(record, editions),
    alternative_subtitle: gathered(editions, ({ subtitle: own }) => (own === undefined ? undefined : [own])),
    chapter: gathered(editions, (edition) => edition.chapter),
    by_statement: gathered(records, (edition) => texts(edition, "by_statement")),
    first_sentence: gathered(records, (edition) => texts(edition, "first_sentence")),
    edition_count: editions.length,
    edition_key: distinct(editions.map((edition) => lastSegment(edition.key))),
    cover_i: cover?.number,
    cover_width: cover?.size?.cover_width,
    cover_height: cover?.size?.cover_height,
    cover_edition_key: cover?.edition,
    language: gathered(editions, (edition) => edition.language),
    lccn: gathered(editions, (edition) => edition.lccn),
    oclc: gathered(editions, (edition) => edition.oclc),
    isbn: gathered(editions, (edition) => edition.isbn),
    publisher: gathered(editions, (edition) => edition.publisher),
    publish_place: gathered(records, (edition) => texts(edition, "publish_places")),
    publish_date: gathered(editions, (edition) => edition.publish_date),
    publish_year: parts.years,
    first_publish_year: smallest(parts.years),
    format: gathered(editions, (edition) => edition.format),
    contributor: gathered(records, (edition) => texts(edition, "contributions")),
    number_of_pages_median: medianPages(records),
    lexile: parts.lexile,
    ia: scans.ia,
    ia_collection: sortedCollections(editions.flatMap((edition) => edition.ia_collection ?? [])),
    ia_box_id: distinctIgnoringCase(gathered(editions, (edition) => edition.ia_box_id)),
    lending_edition_s: scans.lendingEdition,
    lending_identifier_s: scans.lendingIdentifier,
    printdisabled_s: scans.printdisabled,
    ebook_access: access,
    ebook_provider: gathered(editions, (edition) => edition.ebook_provider),
    has_fulltext: hasFulltext(access),
    public_scan_b: access === "public",
    ebook_count_i: editions.filter((edition) => isEbook(edition.ebook_access)).length,
    subject: listOf(texts(record, "subjects")),
    place: listOf(texts(record, "subject_places")),
    person: listOf(texts(record, "subject_people")),
    time: listOf(texts(record, "subject_times")),
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
    identifiers: mergedIdentifiers(editions.map((edition) => edition.identifiers)),
    last_modified_i: lastModified(record, records),
    osp_count: sources.osp,
    counts: sources.counts,
    editions: scoredEditions(parts, sources),
  };
}

import { lastSegmentOf } from "../../catalog/keys.ts";
import { ebookAccessOf } from "../../catalog/ebook-access.ts";
import { normalizeNumbers } from "../../catalog/identifiers/edition-identifiers.ts";
import { publicationDatesOf } from "../../catalog/publication-date.ts";
import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import type { AuthorNames } from "./named-documents.ts";
import { alternativeTitlesOf, chaptersOf, titleOf } from "./titles.ts";
import { coverOf, deduplicate, languagesOf, publishersOf, textMemberOf, textsOf } from "./values.ts";
import { identifiersOf, bothIsbnForms, providerNamesOf } from "./identifiers.ts";
import { type ScanSources, boxesOf, hasFulltext, scanItemOf, sortCollections } from "./scans.ts";
import type { UnscoredEdition } from "./scorecard.ts";
import type { WorkSources } from "./types.ts";

/** Builds the document of an edition without its scores. Members may be undefined. */
export function buildEdition(
  record: CatalogRecord,
  context: ScanSources & Pick<WorkSources, "covers"> & { workOlid: string; authors: AuthorNames },
): UnscoredEdition {
  const key = keyOf(record) ?? "";
  const scan = scanItemOf(record, context);
  const access = ebookAccessOf({
    edition: record,
    item: scan,
    workSubjects: context.workSubjects,
    deriveItem: context.deriveItems,
  });
  const cover = coverOf(record);
  const size = cover === undefined ? undefined : context.covers?.get(cover);
  return {
    key,
    type: "edition",
    work_key: [context.workOlid],
    title: titleOf(record),
    subtitle: textMemberOf(record, "subtitle"),
    alternative_title: deduplicate(alternativeTitlesOf(record)),
    chapter: deduplicate(chaptersOf(record, lastSegmentOf(key))),
    cover_i: cover,
    cover_width: size?.cover_width,
    cover_height: size?.cover_height,
    language: deduplicate(languagesOf(record)),
    edition_name: deduplicate(textsOf(record, "edition_name")),
    publisher: deduplicate(publishersOf(record)),
    format: deduplicate(textsOf(record, "physical_format")),
    publish_date: deduplicate(textsOf(record, "publish_date")),
    publish_year: deduplicate(publicationDatesOf(record).map(({ year }) => year)),
    isbn: bothIsbnForms(record),
    lccn: deduplicate(normalizeNumbers("lccn", record["lccn"])),
    oclc: deduplicate(normalizeNumbers("oclc_numbers", record["oclc_numbers"])),
    ia: deduplicate(textsOf(record, "ocaid")),
    ia_collection: scan === undefined ? undefined : sortCollections(scan.collections),
    ia_box_id: boxesOf(record, scan),
    author_key: context.authors.keys,
    author_name: context.authors.names,
    author_alternative_name: context.authors.alternatives,
    ebook_access: access,
    ebook_provider: deduplicate(providerNamesOf(record)),
    has_fulltext: hasFulltext(access),
    public_scan_b: access === "public",
    identifiers: identifiersOf(record),
  };
}

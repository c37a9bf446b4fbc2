import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import {
  type EditionDocument,
  type StoredEdition,
  type StoredWork,
  type WorkDocument,
  type WorkSources,
  NO_COUNTS,
} from "../../../../src/search/documents/types.ts";
import { buildWork } from "../../../../src/search/documents/work.ts";

/** A work record. */
export function work(members: CatalogRecord = {}): CatalogRecord {
  return { key: "/works/OL1W", type: { key: "/type/work" }, title: "Work", ...members };
}

/** An edition record with this number. */
export function edition(number: number, members: CatalogRecord = {}): CatalogRecord {
  return {
    key: `/books/OL${number}M`,
    type: { key: "/type/edition" },
    works: [{ key: "/works/OL1W" }],
    title: "Edition",
    ...members,
  };
}

/** An author record with this number. */
export function author(number: number, members: CatalogRecord = {}): CatalogRecord {
  return {
    key: `/authors/OL${number}A`,
    type: { key: "/type/author" },
    name: `Author ${number}`,
    ...members,
  };
}

/** The document of a work that nothing but these sources is known of. */
export function built(sources: Partial<WorkSources>): WorkDocument {
  return buildWork({
    work: work(),
    editions: [],
    authors: [],
    series: new Map(),
    items: new Map(),
    counts: NO_COUNTS,
    prefix: "OL",
    deriveItems: false,
    ...sources,
  });
}

/** The document of the only edition of a work. */
export function builtEdition(record: CatalogRecord, sources: Partial<WorkSources> = {}): EditionDocument {
  return built({ editions: [record], ...sources }).editions[0]!;
}

/** A work as an engine reads it back. */
export function stored(document: WorkDocument, trending?: StoredWork["trending"]): StoredWork {
  const {
    editions: _editions,
    alternative_title: _titles,
    alternative_subtitle: _subtitles,
    by_statement: _statements,
    title_sort: _sort,
    ...kept
  } = document;
  return { ...kept, trending: trending ?? { hourlySum: 0, zScore: 0, slots: undefined } };
}

/** An edition as an engine reads it back. */
export function storedEdition(document: EditionDocument): StoredEdition {
  const { alternative_title: _titles, ...kept } = document;
  return kept;
}

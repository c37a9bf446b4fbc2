import type { EditionBundle, LookupConfig } from "../../../../src/catalog/lookup/bundle.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";

export const CONFIG: LookupConfig = {
  baseUrl: "http://localhost:8080",
  coversUrl: "http://localhost:7075",
  archiveUrl: "https://archive.org",
};

/** A record with its key and type. */
export function record(type: string, key: string, members: CatalogRecord = {}): CatalogRecord {
  return { key, type: { key: `/type/${type}` }, ...members };
}

/** Records by key. */
export function byKey(...records: CatalogRecord[]): Map<string, CatalogRecord> {
  return new Map(records.map((one) => [String(one["key"]), one]));
}

/** A bundle of an edition without work, scan or anything else; members on top. */
export function bundleOf(edition: CatalogRecord, members: Partial<EditionBundle> = {}): EditionBundle {
  return { edition, authors: new Map(), access: "no_ebook", ...members };
}

/** The edition, work and author of the acceptance vectors. */
export const FOO_EDITION = record("edition", "/books/OL1M", {
  title: "Foo: a bar? (2nd ed.)",
  isbn_10: ["0-14-032872-6"],
  lccn: ["sa 64009056"],
  oclc_numbers: ["ocm00012345"],
  ocaid: "foo00bar",
  covers: [-1, 7],
  works: [{ key: "/works/OL1W" }],
});
const FOO_WORK = record("work", "/works/OL1W", {
  title: "Foo",
  authors: [{ author: { key: "/authors/OL1A" } }],
  subjects: ["In library", "Science Fiction"],
  subject_people: ["Ned, Wilcox"],
});
export const FOO: EditionBundle = {
  edition: FOO_EDITION,
  work: FOO_WORK,
  authors: byKey(record("author", "/authors/OL1A", { name: "Mark Twain" })),
  access: "borrowable",
};

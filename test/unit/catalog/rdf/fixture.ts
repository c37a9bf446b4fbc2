import { expect } from "vitest";
import { type RdfInput, renderRdf } from "../../../../src/catalog/rdf.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { type ParsedElement, elementsNamed, parseXml } from "./well-formed.ts";

/** Members of the envelope of every record. */
const ENVELOPE = {
  revision: 3,
  created: { type: "/type/datetime", value: "2009-12-11T01:57:19.964652" },
  last_modified: { type: "/type/datetime", value: "2026-08-25T09:15:03.120000" },
};
/** A record of a type. */
export const typed = (type: string, key: string, members: CatalogRecord): CatalogRecord => ({
  key,
  type: { key: `/type/${type}` },
  ...ENVELOPE,
  ...members,
});
/** An author. */
export const author = (number: number, members: CatalogRecord): CatalogRecord =>
  typed("author", `/authors/OL${number}A`, members);
/** Records by key. */
export const map = (...records: CatalogRecord[]): Map<string, CatalogRecord> =>
  new Map(records.map((record) => [String(record["key"]), record]));

/** The RDF of a record; the test fails when there is none. */
export const rendered = (input: Partial<RdfInput> & { record: CatalogRecord }): string => {
  const text = renderRdf({
    authors: new Map(),
    baseUrl: "http://catalog.test",
    coversUrl: "http://covers.test",
    ...input,
  });
  expect(text).toBeDefined();
  return text ?? "";
};
/** The descriptions in it. */
export const described = (input: Partial<RdfInput> & { record: CatalogRecord }): ParsedElement[] => [
  ...parseXml(rendered(input)).children,
];
/** Texts of all elements of a name. */
export const texts = (elements: readonly ParsedElement[], name: string): string[] =>
  elements.flatMap((root) => elementsNamed(root, name)).map(({ text }) => text);
/** Values of an attribute of all elements of a name. */
export const attributes = (
  elements: readonly ParsedElement[],
  name: string,
  attribute: string,
): (string | undefined)[] =>
  elements.flatMap((root) => elementsNamed(root, name)).map((found) => found.attributes.get(attribute));
/** Names of the children of an element. */
export const names = (element: ParsedElement | undefined): string[] =>
  element?.children.map(({ name }) => name) ?? [];

/** The author of the work. */
export const TWO = author(2, { name: "Two" });
/** The author of the edition. */
export const THREE = author(3, { name: "Three" });
/** An edition with every member that RDF shows. */
export const EDITION = typed("edition", "/books/OL1M", {
  title: "Responsive",
  subtitle: "A guide",
  works: [{ key: "/works/OL1W" }, { key: "/works/OL2W" }],
  authors: [{ key: "/authors/OL3A" }],
  contributors: [{ role: "Foreword", name: "Jeremy" }, { role: "Editor" }, null, { name: "Mandy" }],
  contributions: ["Birnbaum, Uriel", "Other"],
  publishers: ["One", "Two"],
  publish_places: ["Leiden"],
  publish_date: "1912",
  pagination: "xii, 100 p.",
  number_of_pages: 112,
  physical_dimensions: "9 x 3 x 2 inches",
  edition_name: "2nd ed.",
  subjects: ["Web", "Design"],
  dewey_decimal_class: ["005"],
  lc_classifications: ["TK5105"],
  description: "Plain",
  notes: { type: "/type/text", value: "Noted" },
  languages: [{ key: "/languages/eng" }, { key: "/languages/fre" }],
  oclc_numbers: ["42"],
  lccn: ["12034567"],
  isbn_10: ["0451526538"],
  isbn_13: ["9780451526533"],
});
/** A work with one author. */
export const WORK = typed("work", "/works/OL1W", {
  title: "W",
  authors: [{ author: { key: "/authors/OL2A" } }],
});

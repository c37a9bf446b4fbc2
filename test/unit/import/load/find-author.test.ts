import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { findAuthor } from "../../../../src/import/records/resolve-authors.ts";
import { lookupsOf } from "../../../../src/import/records/record-lookups.ts";
import { parseAuthors } from "../../../../src/import/records/author-lookups.ts";
import { foundIn } from "../../../support/import/found.ts";

const author = (number: number, members: CatalogRecord): CatalogRecord => ({
  key: `/authors/OL${number}A`,
  type: { key: "/type/author" },
  ...members,
});
const redirect = (from: number, to: number): CatalogRecord => ({
  key: `/authors/OL${from}A`,
  type: { key: "/type/redirect" },
  location: `/authors/OL${to}A`,
});

/** Number of the author that is found; undefined for none. */
function found(searched: CatalogRecord, ...records: CatalogRecord[]): string | undefined {
  const record = { title: "T", authors: [searched] };
  const [wanted] = parseAuthors(record);
  if (wanted === undefined) throw new Error("nobody is looked for");
  return findAuthor(wanted, foundIn(records, lookupsOf(record)))?.key.replace(/^\/authors\/OL(\d+)A$/, "A$1");
}

const NAME = "William Brewer";
const YEARS = { birth_date: "1829", death_date: "1910" };
const CONFLICT = expect.objectContaining({ code: "author-id-conflict" });

describe("by key and by numbers elsewhere", () => {
  const A3 = author(3, { name: NAME, remote_ids: { viaf: "12345678" } });
  const A4 = author(4, { name: NAME, remote_ids: { viaf: "87654321" } });

  it.each<[string, CatalogRecord, string | undefined]>([
    ["the key", { name: NAME, key: "/authors/OL4A" }, "A4"],
    ["the key, whatever the name", { name: "X", key: "/authors/OL4A" }, "A4"],
    ["the number, whatever the name", { name: "X", remote_ids: { viaf: "12345678" } }, "A3"],
    [
      "the number, for a key that is none",
      { name: "X", key: "/authors/OL9A", remote_ids: { viaf: "87654321" } },
      "A4",
    ],
    ["the name, for an unknown number", { name: NAME, remote_ids: { isni: "1" } }, "A3"],
  ])("%s", (_, searched, expected) => expect(found(searched, A3, A4)).toBe(expected));

  it("is a conflict if the identifiers differ", () => {
    expect(() =>
      found({ name: NAME, key: "/authors/OL4A", remote_ids: { viaf: "12345678" } }, A3, A4),
    ).toThrow(CONFLICT);
    const both = author(5, { name: NAME, remote_ids: { viaf: "5", isni: "6" } });
    expect(() => found({ name: NAME, remote_ids: { viaf: "5", isni: "7" } }, both)).toThrow(CONFLICT);
  });

  it("prefers the most common identifiers, then the lowest author", () => {
    const ids = { viaf: "1", isni: "2" };
    const one = author(3, { name: "A", remote_ids: { viaf: "1" } });
    const two = author(20, { name: "B", remote_ids: ids });
    const three = author(100, { name: "C", remote_ids: ids });
    expect(found({ name: "X", remote_ids: ids }, three, two, one)).toBe("A20");
  });

  it("follows redirects and leaves out deleted authors", () => {
    expect(found({ name: "X", key: "/authors/OL7A" }, redirect(7, 8), redirect(8, 3), A3)).toBe("A3");
    expect(found({ name: "X", key: "/authors/OL7A" }, redirect(7, 7))).toBeUndefined();
    const deleted = { key: "/authors/OL7A", type: { key: "/type/delete" } };
    expect(found({ name: "X", key: "/authors/OL7A" }, deleted)).toBeUndefined();
    const work = { key: "/works/OL7W", type: { key: "/type/work" }, title: "T" };
    expect(found({ name: "X", key: "/works/OL7W" }, work)).toBeUndefined();
  });
});

describe("by name", () => {
  const named = (number: number, members: CatalogRecord = {}): CatalogRecord =>
    author(number, { name: NAME, ...members });
  const alternate = (number: number, members: CatalogRecord = {}): CatalogRecord =>
    author(number, { name: "Bill B.", alternate_names: [NAME], ...members });

  it.each<[string, CatalogRecord[], CatalogRecord, string | undefined]>([
    ["dates tell", [named(3), alternate(4), named(5, YEARS)], { name: NAME, ...YEARS }, "A5"],
    ["another death", [named(3, YEARS)], { name: NAME, ...YEARS, death_date: "1911" }, undefined],
    ["alternate names", [alternate(4), alternate(5, YEARS)], { name: NAME, ...YEARS }, "A5"],
    [
      "alternate names in the record",
      [alternate(4), alternate(5, YEARS)],
      { name: "X", alternate_names: ["Brewer, William"], ...YEARS },
      "A5",
    ],
    ["the last name and years", [named(3, YEARS)], { name: "Mr. William H. brewer", ...YEARS }, "A3"],
    [
      "the last name and other years",
      [named(3, YEARS)],
      { name: "Mr. William H. brewer", ...YEARS, death_date: "1911" },
      undefined,
    ],
    ["the last name alone", [named(3)], { name: "Mr. William J. Brewer" }, undefined],
    [
      "the last name and one year",
      [named(3, { birth_date: "1829" })],
      { name: "William J. Brewer", birth_date: "1829" },
      undefined,
    ],
    ["a part of the last name", [named(3, YEARS)], { name: "Ewer", ...YEARS }, undefined],
    ["the last name alone with years", [named(3, YEARS)], { name: "Brewer", ...YEARS }, "A3"],
    [
      "dates in words",
      [named(3, { birth_date: "September 14th, 1829", death_date: "11/2/1910" })],
      { name: "Mr. William H. brewer", birth_date: "1829-09-14", death_date: "November 1910" },
      "A3",
    ],
    ["any case", [named(3)], { name: "wiLLiaM BREWER" }, "A3"],
    ["accents", [author(3, { name: "Wílliam Brewer" })], { name: NAME }, undefined],
    ["no wildcards", [named(3), author(4, { name: "William *" })], { name: "William *" }, "A4"],
    ["a wildcard of nobody's", [named(3)], { name: "W*" }, undefined],
    [
      "name and alternate name",
      [named(3, { alternate_names: ["Bill"] })],
      { name: NAME, alternate_names: ["Bill"] },
      "A3",
    ],
    ["of several the lowest number", [named(100), named(20)], { name: NAME }, "A20"],
    ["the name before alternate names", [alternate(3), named(4)], { name: NAME }, "A4"],
    ["the name, even when its dates do not fit", [alternate(3), named(4, YEARS)], { name: NAME }, undefined],
    ["dates only on one side", [named(3, { birth_date: "1829" })], { name: NAME }, undefined],
    [
      "both dates before one",
      [named(3, { birth_date: "1829" }), named(4, YEARS)],
      { name: NAME, ...YEARS },
      "A4",
    ],
    [
      "a date that is neither",
      [named(3), named(4, { date: "8th century" })],
      { name: NAME, date: "8th century" },
      "A4",
    ],
    [
      "another such date",
      [named(4, { date: "9th century" })],
      { name: NAME, date: "8th century" },
      undefined,
    ],
  ])("%s", (_, records, searched, expected) => expect(found(searched, ...records)).toBe(expected));

  it("finds long names and distinguishes them", () => {
    const senate = author(3, { name: "United States. Congress. Senate. Committee on Finance" });
    const house = author(4, { name: "United States. Congress. House. Committee on Rules" });
    expect(
      found(
        { name: "United States. Congress. House. Committee on Rules", entity_type: "org" },
        senate,
        house,
      ),
    ).toBe("A4");
  });
});

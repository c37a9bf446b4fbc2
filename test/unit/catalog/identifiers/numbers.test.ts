import { describe, expect, it } from "vitest";
import {
  editionIdentifiersOf,
  normalizeNumber,
  normalizeNumbers,
} from "../../../../src/catalog/identifiers/edition-identifiers.ts";

describe("normalizeNumber", () => {
  it.each([
    ["oclc_numbers", "ocm12345678", "12345678"],
    ["oclc_numbers", "(OCoLC)ocn087654321", "87654321"],
    ["oclc_numbers", "(OCoLC) on1087654321", "1087654321"],
    ["oclc_numbers", "OCLC: 00123", "123"],
    ["oclc_numbers", "urn:oclc:123", "123"],
    ["oclc_numbers", "info:oclcnum/123", "123"],
    ["oclc_numbers", "https://www.worldcat.org/oclc/123", "123"],
    ["oclc_numbers", "https://www.worldcat.org/title/emma/oclc/123", "123"],
    ["oclc_numbers", "https://search.worldcat.org/title/123", "123"],
    ["oclc", "(NjP)123", "(NjP)123"],
    ["lccn", "   62000298 //r85", "62000298"],
    ["lccn", "62-298", "62000298"],
    ["lccn", "LCCN agr 62-298", "agr62000298"],
    ["lccn", "(DLC)   62000298", "62000298"],
    ["lccn", "https://lccn.loc.gov/n79021164", "n79021164"],
    ["lccn", "info:lccn/2001627090", "2001627090"],
    ["lccn", " A lccn ", "A lccn"],
    ["isbn_13", "978-0-14-143951-8 ", "9780141439518"],
    ["isbn_10", "0141439513 (v. 1 : pbk.)", "0141439513"],
    ["isbn_13", "urn:isbn:9780141439518", "9780141439518"],
    ["isbn_10", "none", "none"],
    ["issn", "1234567x", "1234-567X"],
    ["issn", "ISSN 1234\u20135678 (online)", "1234-5678"],
    ["issn", "https://portal.issn.org/resource/ISSN/1234-5678", "1234-5678"],
    ["issn", "12345", "12345"],
    ["doi", "https://doi.org/https://doi.org/10.1000/X", "10.1000/X"],
    ["doi", "DOI: 10.1000/x", "10.1000/x"],
    ["doi", "info:doi/10.1000.10/x(1)y", "10.1000.10/x(1)y"],
    ["doi", "10", "10"],
    ["wikidata", "http://www.wikidata.org/entity/Q42", "Q42"],
    ["goodreads", " 1265 ", "1265"],
    ["oclc_numbers", `(OCoLC)${"1".repeat(300)}`, `(OCoLC)${"1".repeat(300)}`],
  ])("of %s, %j is %j", (source, text, expected) => {
    expect(normalizeNumber(source, text)).toBe(expected);
    expect(normalizeNumber(source, expected)).toBe(expected);
  });
});

it("counts a number in two spellings once", () => {
  expect(normalizeNumbers("oclc_numbers", ["ocm00000123", "(OCoLC)123", " ", "456"])).toEqual(["123", "456"]);
  expect(normalizeNumbers("lccn", "62-298")).toEqual(["62000298"]);
  expect(normalizeNumbers("doi", undefined)).toEqual([]);
});

it("finds identifiers as stored and in their normal form", () => {
  const identifiers = { issn: ["1234567x"], doi: ["10.1000/x"], oclc: ["ocm00000123"] };
  expect(editionIdentifiersOf({ identifiers, oclc_numbers: ["https://www.worldcat.org/oclc/123"] })).toEqual([
    { kind: "oclc", value: "123" },
    { kind: "issn", value: "1234567x" },
    { kind: "issn", value: "1234-567X" },
    { kind: "doi", value: "10.1000/x" },
    { kind: "oclc", value: "ocm00000123" },
  ]);
});

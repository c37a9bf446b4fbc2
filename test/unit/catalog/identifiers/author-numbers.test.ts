import { describe, expect, it } from "vitest";
import {
  authorNumberSpellingsOf,
  parseAuthorNumber,
} from "../../../../src/catalog/identifiers/author-numbers.ts";

const ISNI = "isni 0000000121622683";

describe("parseAuthorNumber", () => {
  it.each([
    ["(DE-588)118503782", "gnd 118503782"],
    ["(DE-588a)118503782", "gnd 118503782"],
    ["(DE-101c)118503782", "gnd 118503782"],
    ["http://d-nb.info/gnd/118503782", "gnd 118503782"],
    ["(uri)https://d-nb.info/gnd/118503782/about", "gnd 118503782"],
    ["GND: 4079163-4", "gnd 4079163-4"],
    ["(DE-588)40791634", "gnd 4079163-4"],
    ["(gnd)11850553x", "gnd 11850553X"],
    ["(viaf)102333412", "viaf 102333412"],
    ["VIAF ID: 102333412", "viaf 102333412"],
    ["viaf/102333412", "viaf 102333412"],
    ["http://viaf.org/viaf/102333412", "viaf 102333412"],
    ["https://www.viaf.org/viaf/102333412/#skos:Concept", "viaf 102333412"],
    ["<https://viaf.org/en/viaf/102333412>", "viaf 102333412"],
    ["(isni)0000000121622683", ISNI],
    ["(ISNI) 0000 0001 2162 2683", ISNI],
    ["0000-0001-2162-2683", ISNI],
    ["ISNI 0000\u00a00001\u00a02162\u00a02683", ISNI],
    ["urn:isni:0000\u20130001\u20132162\u20132683", ISNI],
    ["https://isni.org/isni/0000000121622683/", ISNI],
    ["https://isni-url.oclc.nl/isni/0000000121622683", ISNI],
    ["isni:000000012103509x", "isni 000000012103509X"],
    ["0000 0001 2103 509X", "isni 000000012103509X"],
    ["(orcid)0000-0002-1825-0097", "orcid 0000-0002-1825-0097"],
    ["https://orcid.org/0000000218250097", "orcid 0000-0002-1825-0097"],
    ["(DLC)n  79021164", "lc_naf n79021164"],
    ["LC|n  79021164", "lc_naf n79021164"],
    ["n 79-21164", "lc_naf n79021164"],
    ["http://id.loc.gov/authorities/names/n79021164.html", "lc_naf n79021164"],
    ["id.loc.gov/rwo/agents/no2001012345", "lc_naf no2001012345"],
    ["info:lccn/nb98045435", "lc_naf nb98045435"],
    ["q36322", "wikidata Q36322"],
    ["(wikidata)Q36322", "wikidata Q36322"],
    ["http://www.wikidata.org/entity/Q36322", "wikidata Q36322"],
    ["https://www.wikidata.org/wiki/Special:EntityData/Q36322.json", "wikidata Q36322"],
    ["102333412", undefined],
    ["(OCoLC)fst00012345", undefined],
    ["(DE-627)118503782", undefined],
    ["http://id.loc.gov/authorities/subjects/sh85000000", undefined],
    ["http://viaf.org/viaf/sourceID", undefined],
    ["Jane Austen", undefined],
    ["(isni)12345", undefined],
    [" ", undefined],
    [`(viaf)1${" ".repeat(300)}`, undefined],
  ])("reads %j as %s", (text, expected) => {
    const { scheme, value } = parseAuthorNumber(text) ?? {};
    expect(scheme && `${scheme} ${value}`).toBe(expected);
  });

  it.each([
    ["viaf", " 102333412 ", "viaf 102333412"],
    ["VIAF", "https://viaf.org/viaf/102333412", "viaf 102333412"],
    ["lccn", "n 79021164", "lc_naf n79021164"],
    ["isni", "0000 0002 1825 0097", "isni 0000000218250097"],
    ["gnd", "118503782", "gnd 118503782"],
    ["gnd", " Jane ", "gnd Jane"],
    ["viaf", "(isni)0000000121622683", "viaf (isni)0000000121622683"],
    ["goodreads", " (viaf)1 ", "goodreads (viaf)1"],
    ["viaf", "  ", undefined],
  ])("reads a number of %s: %j is %s", (scheme, text, expected) => {
    const number = parseAuthorNumber(text, scheme);
    expect(number && `${number.scheme} ${number.value}`).toBe(expected);
  });
});

it("lists spellings that are read as the same number", () => {
  const numbers = [
    { scheme: "viaf", value: "102333412" },
    { scheme: "isni", value: "000000012103509X" },
    { scheme: "gnd", value: "4079163-4" },
    { scheme: "lc_naf", value: "n79021164" },
    { scheme: "wikidata", value: "Q36322" },
    { scheme: "orcid", value: "0000-0002-1825-0097" },
    { scheme: "goodreads", value: "1265" },
  ];
  for (const number of numbers) {
    for (const text of authorNumberSpellingsOf(number))
      expect(parseAuthorNumber(text, number.scheme)).toEqual(number);
  }
});

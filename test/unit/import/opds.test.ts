import { describe, expect, it } from "vitest";
import { ATOM, recordOfOpds } from "../../../src/import/opds.ts";
import { childrenNamed, isElement } from "../../../src/import/xml/element.ts";
import { parseXml } from "../../../src/import/xml/parse.ts";
import { violationsOf } from "../../../src/import/validate.ts";
import { HAS_FIXTURES, fixtureBytes, fixtureLines } from "./shared-fixtures.ts";
import { type Expected, withoutAccidents } from "./without-accidents.ts";

function record(inside: string) {
  return recordOfOpds(
    parseXml(`<entry xmlns="http://www.w3.org/2005/Atom" xmlns:t="http://purl.org/dc/terms/"
      xmlns:bibo="http://purl.org/ontology/bibo/" xmlns:v="http://RDVocab.info/elements/">${inside}</entry>`),
  );
}

describe("recordOfOpds", () => {
  it("reads the fields of the table that stand directly in the entry", () => {
    expect(
      record(`<title>T</title><author><name>A B</name><name>no</name></author><author><uri>no</uri></author>
        <t:publisher>P</t:publisher><t:issued>2001</t:issued><t:extent>3 p.</t:extent>
        <category label="Cats" term="no"/><category term="no"/><t:language>en</t:language>
        <summary>S</summary><bibo:lccn>85000002</bibo:lccn><bibo:oclcnum>7</bibo:oclcnum>
        <v:placeOfPublication>Paris</v:placeOfPublication><content><title>no</title></content>
        <updated>2020-01-01</updated>`),
    ).toEqual({
      title: "T",
      authors: [{ personal_name: "A B", name: "A B", entity_type: "person" }],
      publishers: ["P"],
      publish_date: "2001",
      pagination: "3 p.",
      subjects: ["Cats"],
      languages: ["en"],
      description: "S",
      lccn: ["85000002"],
      oclc_numbers: ["7"],
      publish_places: ["Paris"],
    });
  });

  it("tells identifiers by their form", () => {
    const identifiers = [
      "urn:ISBN:0140328726",
      " urn:ISBN:9780140328721 ",
      "http://www.archive.org/details/item1",
      "urn:ISBN:978-0-14-032872-1",
      "urn:ISBN:",
      "http://www.archive.org/details/",
      "urn:uuid:1",
      "",
    ];
    expect(record(identifiers.map((text) => `<t:identifier>${text}</t:identifier>`).join(""))).toEqual({
      isbn_10: ["0140328726"],
      isbn_13: ["9780140328721"],
      ocaid: "item1",
    });
  });
});

const FEEDS = ["acquisition", "audiobooks", "book_without_license", "content_server", "entry", "navigation"];

describe.skipIf(!HAS_FIXTURES)("feeds of others", () => {
  it.each(FEEDS)("%s", (feed) => {
    const root = parseXml(new TextDecoder().decode(fixtureBytes(`external/opds/${feed}.xml`)));
    const entries = isElement(root, ATOM, "entry") ? [root] : childrenNamed(root, ATOM, "entry");
    const expected = fixtureLines<Expected>(`external/opds/${feed}.expect.jsonl`);
    const records = entries.map(recordOfOpds);
    expect(records).toEqual(expected.map(({ fields }) => withoutAccidents(fields)));
    expect(records.map((one) => violationsOf(one).length === 0)).toEqual(
      expected.map(({ accepted }) => accepted),
    );
  });
});

import { describe, expect, it } from "vitest";
import { ATOM, recordOfOpds } from "../../../src/import/xml-records.ts";
import { childrenNamed, parseXml } from "../../../src/import/xml/document.ts";
import { violationsOf } from "../../../src/import/validate.ts";

function record(inside: string) {
  return recordOfOpds(
    parseXml(`<entry xmlns="http://www.w3.org/2005/Atom" xmlns:t="http://purl.org/dc/terms/"
      xmlns:bibo="http://purl.org/ontology/bibo/" xmlns:v="http://RDVocab.info/elements/">${inside}</entry>`),
  );
}

describe("recordOfOpds", () => {
  it("reads the fields directly in the entry", () => {
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

  it("joins the lines of texts except descriptions", () => {
    expect(record("<title>\n  A long\n  title\n</title><summary>One.\n\nTwo.</summary>")).toEqual({
      title: "A long title",
      description: "One.\n\nTwo.",
    });
  });

  it("recognises identifiers by their form", () => {
    const identifiers = [
      "urn:ISBN:0140328726",
      " urn:ISBN:9780140328721 ",
      "http://www.archive.org/details/item1",
      "urn:isbn:978-0-306-40615-7",
      "urn:ISBN:",
      "http://www.archive.org/details/",
      "urn:uuid:1",
      "",
    ];
    expect(record(identifiers.map((text) => `<t:identifier>${text}</t:identifier>`).join(""))).toEqual({
      isbn_10: ["0140328726"],
      isbn_13: ["9780140328721", "9780306406157"],
      ocaid: "item1",
    });
  });
});

/** A feed of two books and a section, as catalogs of ebooks publish them. */
const FEED = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dcterms="http://purl.org/dc/terms/"
  xmlns:opds="http://opds-spec.org/2010/catalog" xmlns:bibo="http://purl.org/ontology/bibo/">
  <id>urn:uuid:1</id><title>New books</title><author><name>Tidal Press</name></author>
  <link rel="self" href="/new" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
  <entry>
    <id>urn:uuid:2</id><title>The lamp at Aberwick</title><updated>2024-05-01T00:00:00Z</updated>
    <author><name>Edith Harbour</name><uri>http://ebooks.example/agents/3</uri></author>
    <author><name>Thomas Quay</name></author>
    <rights>Public domain</rights>
    <dcterms:publisher>Tidal Press</dcterms:publisher><dcterms:issued>1979</dcterms:issued>
    <dcterms:language>en</dcterms:language><dcterms:identifier>urn:isbn:9780306406157</dcterms:identifier>
    <dcterms:identifier>urn:ISBN:9780306406157</dcterms:identifier>
    <category scheme="http://www.bisg.org/standards/bisac_subject/index.html" term="FIC047000" label="FICTION / Sea Stories"/>
    <summary type="text">Keepers &amp; storms.</summary><content type="xhtml"><p xmlns="http://www.w3.org/1999/xhtml">x</p></content>
    <link rel="http://opds-spec.org/acquisition" href="/7.epub" type="application/epub+zip"/>
  </entry>
  <entry><title>The fen chronicle</title><bibo:lccn>79004711</bibo:lccn></entry>
  <entry><title>By subject</title><link rel="subsection" href="/subjects"/><content type="text">All</content></entry>
</feed>`;

describe("an OPDS feed", () => {
  const entries = childrenNamed(parseXml(FEED), ATOM, "entry");

  it("gives the fields of each entry", () => {
    expect(entries.map(recordOfOpds)).toEqual([
      {
        title: "The lamp at Aberwick",
        authors: ["Edith Harbour", "Thomas Quay"].map((name) => ({
          personal_name: name,
          name,
          entity_type: "person",
        })),
        publishers: ["Tidal Press"],
        publish_date: "1979",
        languages: ["en"],
        isbn_13: ["9780306406157"],
        subjects: ["FICTION / Sea Stories"],
        description: "Keepers & storms.",
      },
      { title: "The fen chronicle", lccn: ["79004711"] },
      { title: "By subject" },
    ]);
  });

  it("has complete or identified entries with a known source", () => {
    const isAccepted = entries.map((entry) => {
      const alone = recordOfOpds(entry);
      return [alone, { ...alone, source_records: ["feed:1"] }].map((one) => violationsOf(one).length === 0);
    });
    expect(isAccepted).toEqual([
      [false, true],
      [false, true],
      [false, false],
    ]);
  });
});

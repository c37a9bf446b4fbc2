import { describe, expect, it } from "vitest";
import { xmlText } from "../../../src/catalog/xml.ts";
import { toBibframeNodes } from "../../../src/export/bibframe.ts";
import { toDublinCore, modsOfBook } from "../../../src/export/xml-formats.ts";
import { FORMAT_WRITERS } from "../../../src/export/format-writers.ts";
import { FORMAT_NAMES } from "../../../src/export/formats.ts";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { FULL, author, editionBook, workBook } from "./books.ts";

/** Lines of XML, without what indents them. */
const lines = (text: string) => text.trim().split(/\n\s*/);
const EDITIONS = [
  { key: "/books/OL5M", type: { key: "/type/edition" }, title: "One", isbn_10: ["0141439513"] },
];

describe("numbers of a record", () => {
  const NUMBERS = {
    oclc_numbers: ["ocm12345678", "(OCoLC)87654321", "12345678"],
    isbn_10: ["0141439513 (pbk)"],
    isbn_13: ["978-0-14-143951-8 "],
    lccn: ["62-298", "   62000298 "],
    identifiers: { doi: ["https://doi.org/10.1000/x", "doi:10.1000/x"], issn: ["1234567x"] },
  };

  it("leave in their normal form, each once, in every format", () => {
    const book = editionBook(NUMBERS);
    expect(lines(xmlText(toDublinCore(book))).filter((line) => line.startsWith("<dc:identifier>"))).toEqual([
      "<dc:identifier>http://books.example/books/OL1M</dc:identifier>",
      "<dc:identifier>urn:isbn:9780141439518</dc:identifier>",
      "<dc:identifier>urn:isbn:0141439513</dc:identifier>",
      "<dc:identifier>https://doi.org/10.1000/x</dc:identifier>",
      "<dc:identifier>https://lccn.loc.gov/62000298</dc:identifier>",
      "<dc:identifier>https://www.worldcat.org/oclc/12345678</dc:identifier>",
      "<dc:identifier>https://www.worldcat.org/oclc/87654321</dc:identifier>",
    ]);
    const fields = marcOfBook(book).fields.flatMap((field) =>
      "subfields" in field && field.tag < "040" ? [`${field.tag} ${field.subfields[0]?.[1]}`] : [],
    );
    expect(fields).toEqual([
      "010 62000298",
      "020 0141439513",
      "020 9780141439518",
      "022 1234-567X",
      "024 10.1000/x",
      "035 (OCoLC)12345678",
      "035 (OCoLC)87654321",
    ]);
    for (const name of FORMAT_NAMES) {
      const text = FORMAT_WRITERS[name].one(book);
      expect([name, /ocm|\(pbk|978-0|62-298|org\/https|1234567x/.test(text)]).toEqual([name, false]);
    }
  });
});

describe("Dublin Core", () => {
  it("has the known data", () => {
    expect(lines(xmlText(toDublinCore(FULL)))).toEqual([
      "<oai_dc:dc>",
      "<dc:title>The Pride &amp; Prejudice: a novel</dc:title>",
      "<dc:creator>Austen, Jane</dc:creator>",
      "<dc:contributor>Jones, Vivien</dc:contributor>",
      "<dc:contributor>Doe, Tilda</dc:contributor>",
      "<dc:publisher>Penguin</dc:publisher>",
      "<dc:publisher>Other</dc:publisher>",
      "<dc:date>2003-03-01</dc:date>",
      "<dc:type>Text</dc:type>",
      "<dc:format>480 pages</dc:format>",
      "<dc:format>Paperback</dc:format>",
      "<dc:language>en</dc:language>",
      "<dc:subject>Sisters</dc:subject>",
      "<dc:subject>Courtship</dc:subject>",
      "<dc:subject>Darcy (1790-1820)</dc:subject>",
      "<dc:coverage>England</dc:coverage>",
      "<dc:description>Five &lt;sisters&gt;.",
      "One mother.</dc:description>",
      "<dc:identifier>http://books.example/books/OL1M</dc:identifier>",
      "<dc:identifier>urn:isbn:9780141439518</dc:identifier>",
      "<dc:identifier>urn:isbn:0141439513</dc:identifier>",
      "<dc:identifier>https://www.goodreads.com/book/show/1885</dc:identifier>",
      "<dc:identifier>http://www.wikidata.org/entity/Q170583</dc:identifier>",
      "<dc:identifier>https://lccn.loc.gov/2002028562</dc:identifier>",
      "<dc:identifier>https://www.worldcat.org/oclc/50503123</dc:identifier>",
      "<dc:relation>http://books.example/works/OL1W</dc:relation>",
      "</oai_dc:dc>",
    ]);
  });

  it("keeps a date that cannot be parsed, and lists the editions of a work", () => {
    expect(xmlText(toDublinCore(editionBook({ publish_date: "[n.d.]" })))).toContain(
      "<dc:date>[n.d.]</dc:date>",
    );
    expect(xmlText(toDublinCore(workBook({}, { editions: EDITIONS })))).toContain(
      "<dc:relation>http://books.example/books/OL5M</dc:relation>",
    );
  });
});

describe("MODS", () => {
  it.each([
    [
      "between 1850 and 1860?",
      '<dateIssued encoding="w3cdtf" qualifier="questionable" keyDate="yes" point="start">1850</dateIssued>' +
        '<dateIssued encoding="w3cdtf" qualifier="questionable" point="end">1860</dateIssued>',
    ],
    [
      "平成3年",
      '<dateIssued calendar="Japanese">平成3年</dateIssued><dateIssued encoding="w3cdtf" keyDate="yes">1991</dateIssued>',
    ],
  ])("has the span, certainty and calendar of %j", (date, elements) => {
    const text = xmlText(modsOfBook(editionBook({ publish_date: date }))).replace(/>\s+</g, "><");
    expect(text).toContain(elements);
  });

  it("has the known data", () => {
    const text = xmlText(modsOfBook(FULL)).replace(/>\s+</g, "><");
    for (const part of [
      '<mods version="3.8"><titleInfo><nonSort>The</nonSort><title>Pride &amp; Prejudice</title><subTitle>a novel</subTitle></titleInfo>',
      '<name type="personal" valueURI="http://books.example/authors/OL1A"><namePart type="family">Austen</namePart>' +
        '<namePart type="given">Jane</namePart><namePart type="date">16 December 1775-1817</namePart>' +
        '<role><roleTerm type="text">author</roleTerm></role></name>',
      '<roleTerm type="text">translator</roleTerm>',
      '<originInfo><place><placeTerm type="text">London</placeTerm></place><publisher>Penguin</publisher>' +
        "<publisher>Other</publisher><dateIssued>March 1, 2003</dateIssued>" +
        '<dateIssued encoding="w3cdtf" keyDate="yes">2003-03-01</dateIssued><edition>2nd ed.</edition>',
      '<languageTerm type="code" authority="iso639-2b">eng</languageTerm>',
      "<form>Paperback</form><extent>480 pages</extent>",
      '<note type="statement of responsibility">by Jane Austen</note><note>A note.</note>',
      "<subject><geographic>England</geographic></subject>",
      '<classification authority="lcc">PR4034 .P7 2003</classification>',
      '<relatedItem type="series"><titleInfo><title>Penguin classics</title><partNumber>12</partNumber></titleInfo>',
      '<identifier type="oclc">50503123</identifier>',
      '<url access="raw object">http://archive.example/details/prideprejudice00aust</url>',
      '<recordChangeDate encoding="w3cdtf">2026-01-02T10:11:12Z</recordChangeDate>',
    ]) {
      expect(text).toContain(part);
    }
  });

  it("names organisations and events unchanged", () => {
    const authors = [
      author(1, { name: "Ministry", entity_type: "org" }),
      author(2, { entity_type: "event" }),
    ];
    const text = xmlText(modsOfBook(editionBook({}, { authors }))).replace(/>\s+</g, "><");
    expect(text).toMatch(/<name type="corporate"[^>]*><namePart>Ministry<\/namePart>/);
    expect(text).toMatch(/<name type="conference"[^>]*><namePart>Author 2<\/namePart>/);
  });
});

describe("BIBFRAME", () => {
  it("has an Instance and the Work that it is of", () => {
    const [instance, work, ...more] = toBibframeNodes(FULL);
    expect(more).toEqual([]);
    expect(instance).toMatchObject({
      "@id": "http://books.example/books/OL1M",
      "@type": "Instance",
      title: { "@type": "Title", mainTitle: "The Pride & Prejudice", subtitle: "a novel" },
      provisionActivity: { date: "March 1, 2003", place: [{ "rdfs:label": "London" }] },
      seriesStatement: ["Penguin classics"],
      seriesEnumeration: ["12"],
      instanceOf: { "@id": "http://books.example/works/OL1W" },
    });
    expect(instance?.["identifiedBy"]).toContainEqual({ "@type": "Isbn", "rdf:value": "9780141439518" });
    expect(work).toMatchObject({
      "@id": "http://books.example/works/OL1W",
      "@type": ["Work", "Text"],
      language: [{ "@id": "http://id.loc.gov/vocabulary/languages/eng" }],
      hasInstance: [{ "@id": "http://books.example/books/OL1M" }],
    });
    expect(work?.["contribution"]).toMatchObject([
      { "@type": ["Contribution", "bflc:PrimaryContribution"], role: { "rdfs:label": "Author" } },
      { "@type": "Contribution", role: { "rdfs:label": "Editor" } },
      { "@type": "Contribution", role: { "rdfs:label": "Translator" } },
    ]);
  });

  it("has a Work and its Instances", () => {
    expect(toBibframeNodes(workBook({ first_publish_date: "1813" }, { editions: EDITIONS }))).toMatchObject([
      { "@id": "http://books.example/works/OL1W", originDate: "1813" },
      { "@id": "http://books.example/books/OL5M", instanceOf: { "@id": "http://books.example/works/OL1W" } },
    ]);
  });
});

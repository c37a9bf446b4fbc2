import { describe, expect, it } from "vitest";
import { recordOfRdf } from "../../../src/import/xml-records.ts";
import { parseXml } from "../../../src/import/xml/document.ts";

function record(inside: string) {
  return recordOfRdf(
    parseXml(`<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:bibo="http://purl.org/ontology/bibo/" xmlns:t="http://purl.org/dc/terms/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:m="http://purl.org/dc/dcam/"
      xmlns:v="http://RDVocab.info/elements/">${inside}</r:RDF>`),
  );
}

const subject = (scheme: string, value: string) =>
  `<t:subject><r:Description>${scheme}<r:value>${value}</r:value></r:Description></t:subject>`;
const memberOf = (uri: string) => `<m:memberOf r:resource="${uri}"/>`;

describe("recordOfRdf", () => {
  it("joins the lines of texts", () => {
    expect(record("<t:title>\n  A long\n  title\n</t:title>")).toEqual({ title: "A long title" });
  });

  it("reads the fields of the table at any depth", () => {
    expect(
      record(`<r:Description>
        <t:title>A <![CDATA[&]]> B</t:title><t:publisher>P</t:publisher><t:publisher>Q</t:publisher>
        <t:issued>1999</t:issued><t:extent>12 p.</t:extent><t:language>eng</t:language>
        <dc:subject>Cats</dc:subject><bibo:lccn>85000002</bibo:lccn><bibo:oclcnum>1</bibo:oclcnum>
        <v:placeOfPublication>Paris</v:placeOfPublication>
        <bibo:authorList><r:Description r:nodeID="a"><r:value>First</r:value></r:Description>
          <r:li><r:li><r:value>Second</r:value></r:li></r:li></bibo:authorList>
        <r:value>nobody</r:value><t:creator>nobody</t:creator></r:Description>`),
    ).toEqual({
      title: "A & B",
      publishers: ["P", "Q"],
      publish_date: "1999",
      pagination: "12 p.",
      languages: ["eng"],
      subjects: ["Cats"],
      lccn: ["85000002"],
      oclc_numbers: ["1"],
      publish_places: ["Paris"],
      authors: ["First", "Second"].map((name) => ({ personal_name: name, name, entity_type: "person" })),
    });
  });

  it("recognises classifications by their scheme", () => {
    expect(
      record(
        subject(memberOf("http://purl.org/dc/terms/DDC"), "813") +
          subject(memberOf("http://purl.org/dc/terms/LCC"), "PS") +
          subject(memberOf("http://purl.org/dc/terms/LCSH"), "no") +
          subject("<m:memberOf/>", "no") +
          subject("", "no") +
          "<t:subject>no</t:subject>",
      ),
    ).toEqual({ dewey_decimal_class: ["813"], lc_classifications: ["PS"] });
  });

  it("leaves out blank texts and foreign namespaces", () => {
    expect(
      record(`<t:title> </t:title><t:title/><t:language> <r:value>en</r:value> tail</t:language>
        <title>no</title><dc:title>no</dc:title>`),
    ).toEqual({});
  });

  it("lists each name once, also from nested lists", () => {
    const depth = 90;
    const values = "<r:value>A</r:value>".repeat(3000);
    const { authors } = record(
      "<bibo:authorList>".repeat(depth) + values + "</bibo:authorList>".repeat(depth),
    );
    expect(authors).toHaveLength(3000);
    const subjects = record("<t:subject>".repeat(depth) + values + "</t:subject>".repeat(depth));
    expect(subjects).toEqual({});
  });
});

import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { EDITION, THREE, TWO, WORK, attributes, described, map, names, texts, typed } from "./fixture.ts";
import { elementsNamed } from "./well-formed.ts";

describe("renderRdf of an edition", () => {
  const elements = described({ record: EDITION, work: WORK, authors: map(TWO, THREE) });
  const [description] = elements;

  it("is one description in order", () => {
    expect(elements).toHaveLength(2);
    expect(description?.name).toBe("rdf:Description");
    expect(description?.attributes.get("rdf:about")).toBe("http://catalog.test/books/OL1M");
    expect(names(description)).toEqual([
      "rdrel:workManifested",
      "bibo:authorList",
      "bibo:contributorList",
      "dcterms:contributor",
      "dcterms:contributor",
      "dcterms:title",
      "dcterms:publisher",
      "dcterms:publisher",
      "rdvocab:placeOfPublication",
      "dcterms:issued",
      "dcterms:extent",
      "rdvocab:dimensions",
      "bibo:edition",
      "dc:subject",
      "dc:subject",
      "dcterms:subject",
      "dcterms:subject",
      "dcterms:description",
      "rdvocab:note",
      "dcterms:language",
      "dcterms:language",
      "dcterms:identifier",
      "bibo:oclcnum",
      "bibo:lccn",
      "bibo:isbn10",
      "bibo:isbn13",
    ]);
  });

  it.each<[string, string[]]>([
    ["dcterms:contributor", ["Birnbaum, Uriel", "Other"]],
    ["dcterms:title", ["Responsive: A guide"]],
    ["dcterms:publisher", ["One", "Two"]],
    ["rdvocab:placeOfPublication", ["Leiden"]],
    ["dcterms:issued", ["1912"]],
    ["dcterms:extent", ["xii, 100 p."]],
    ["rdvocab:dimensions", ["9 x 3 x 2 inches"]],
    ["bibo:edition", ["2nd ed."]],
    ["dc:subject", ["Web", "Design"]],
    ["rdf:value", ["005", "TK5105"]],
    ["dcterms:description", ["Plain"]],
    ["rdvocab:note", ["Noted"]],
    ["dcterms:language", ["eng", "fre"]],
    ["dcterms:identifier", ["/books/OL1M"]],
    ["bibo:oclcnum", ["42"]],
    ["bibo:lccn", ["12034567"]],
    ["bibo:isbn10", ["0451526538"]],
    ["bibo:isbn13", ["9780451526533"]],
  ])("%s: %j", (name, expected) => expect(texts(elements, name)).toEqual(expected));

  it("names the schemes of its classes", () => {
    expect(attributes(elements, "dcam:memberOf", "rdf:resource")).toEqual([
      "http://purl.org/dc/terms/DDC",
      "http://purl.org/dc/terms/LCC",
    ]);
  });

  it("lists people as collections", () => {
    const [list] = elementsNamed(description!, "bibo:authorList");
    expect(list?.attributes.get("rdf:parseType")).toBe("Collection");
    expect(attributes([list!], "rdf:Description", "rdf:about")).toEqual(["http://catalog.test/authors/OL2A"]);
    expect(texts([list!], "foaf:name")).toEqual(["Two"]);
    const [contributors] = elementsNamed(description!, "bibo:contributorList");
    expect(contributors?.attributes.get("rdf:parseType")).toBe("Collection");
    expect(names(contributors)).toEqual(["foaf:Agent", "foaf:Agent"]);
    expect(texts([contributors!], "foaf:name")).toEqual(["Jeremy", "Mandy"]);
  });

  it("manifests its first work", () => {
    expect(attributes(elements, "rdrel:workManifested", "rdf:resource")).toEqual([
      "http://catalog.test/works/OL1W",
    ]);
    const unread = described({ record: EDITION });
    expect(attributes(unread, "rdrel:workManifested", "rdf:resource")).toEqual([
      "http://catalog.test/works/OL1W",
    ]);
  });

  it("falls back to its own authors", () => {
    const authors = map(THREE, typed("redirect", "/authors/OL2A", { location: "/authors/OL9A" }));
    expect(texts(described({ record: EDITION, work: WORK, authors }), "foaf:name")[0]).toBe("Three");
  });

  it("follows redirects of authors and drops other records", () => {
    const redirected = map(THREE, typed("redirect", "/authors/OL2A", { location: "/authors/OL3A" }));
    const [list] = elementsNamed(
      described({ record: EDITION, work: WORK, authors: redirected })[0]!,
      "bibo:authorList",
    );
    expect(attributes([list!], "rdf:Description", "rdf:about")).toEqual(["http://catalog.test/authors/OL3A"]);
    const deleted = map(typed("delete", "/authors/OL2A", {}), typed("work", "/authors/OL3A", {}));
    expect(
      names(
        elementsNamed(described({ record: EDITION, work: WORK, authors: deleted })[0]!, "bibo:authorList")[0],
      ),
    ).toEqual([]);
  });

  it("has an author list and a key at least", () => {
    const [bare] = described({ record: typed("edition", "/books/OL1M", {}) });
    expect(names(bare)).toEqual(["bibo:authorList", "dcterms:identifier"]);
  });

  it.each<[CatalogRecord, string[]]>([
    [{ number_of_pages: 112 }, ["112"]],
    [{ number_of_pages: "112" }, ["112"]],
    [{ pagination: "", number_of_pages: 112 }, ["112"]],
    [{}, []],
  ])("has the extent of %j", (members, expected) => {
    expect(texts(described({ record: typed("edition", "/books/OL1M", members) }), "dcterms:extent")).toEqual(
      expected,
    );
  });

  it.each<[CatalogRecord, string[]]>([
    [{ title: "A" }, ["A"]],
    [{ subtitle: "B" }, ["B"]],
    [{ title: "A", subtitle: "" }, ["A"]],
  ])("has the title of %j", (members, expected) => {
    expect(texts(described({ record: typed("edition", "/books/OL1M", members) }), "dcterms:title")).toEqual(
      expected,
    );
  });
});

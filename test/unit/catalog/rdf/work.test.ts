import { describe, expect, it } from "vitest";
import { RDF_EDITIONS_MAX } from "../../../../src/catalog/rdf.ts";
import { THREE, TWO, attributes, described, map, names, texts, typed } from "./fixture.ts";
import { elementsNamed } from "./well-formed.ts";

describe("renderRdf of a work", () => {
  const record = typed("work", "/works/OL1W", {
    title: "Travels",
    subtitle: "unused",
    authors: [
      { author: { key: "/authors/OL2A" } },
      { author: { key: "/authors/OL9A" } },
      { author: { key: "/authors/OL3A" } },
    ],
    subjects: ["Fiction", "Satire"],
    subject_places: ["England"],
    subject_times: ["18th century"],
    subject_people: ["Lemuel"],
    description: { type: "/type/text", value: "Told" },
    dewey_number: ["823.5"],
    lc_classifications: ["PR3724"],
    first_publish_date: "1726",
    other_titles: ["Gulliver"],
    links: [
      { title: "Entry", url: "http://example.org/a?b&c" },
      { url: "http://example.org/d" },
      { title: "no url" },
    ],
  });
  const editions = Array.from({ length: RDF_EDITIONS_MAX + 5 }, (_, index) =>
    typed("edition", `/books/OL${index + 1}M`, {
      title: `T${index + 1}`,
      ...(index > 0 && { publish_date: `19${10 + index}` }),
    }),
  );
  const elements = described({ record, authors: map(TWO, THREE), editions });
  const [description] = elements;

  it("keeps its order", () => {
    expect(description?.name).toBe("frbr:Work");
    expect(description?.attributes.get("rdf:about")).toBe("http://catalog.test/works/OL1W");
    expect(description?.children.map((child) => [child.name, child.text])).toEqual([
      ["dcterms:title", "Travels"],
      ["dcterms:creator", ""],
      ["dcterms:creator", ""],
      ["dcterms:subject", "Fiction"],
      ["dcterms:subject", "Satire"],
      ["dcterms:coverage", "England"],
      ["dcterms:coverage", "18th century"],
      ["dcterms:description", "Told"],
      ["dcterms:subject", ""],
      ["dcterms:subject", ""],
      ["dcterms:date", "1726"],
      ["dcterms:alternative", "Gulliver"],
      ["foaf:page", ""],
      ["foaf:page", ""],
    ]);
  });

  it("names creators, classes and pages", () => {
    const creators = elementsNamed(description!, "dcterms:creator");
    expect(attributes(creators, "rdf:Description", "rdf:about")).toEqual([
      "http://catalog.test/authors/OL2A",
      "http://catalog.test/authors/OL3A",
    ]);
    expect(texts(creators, "foaf:name")).toEqual(["Two", "Three"]);
    expect(texts([description!], "rdf:value")).toEqual(["823.5", "PR3724"]);
    expect(attributes([description!], "foaf:Document", "rdf:about")).toEqual([
      "http://example.org/a?b&c",
      "http://example.org/d",
    ]);
    expect(texts([description!], "rdfs:label")).toEqual(["Entry"]);
  });

  it("names its first 20 editions", () => {
    const manifestations = elements.slice(1, -1);
    expect(manifestations).toHaveLength(20);
    expect(manifestations.map((found) => found.attributes.get("rdf:about"))).toEqual(
      editions.slice(0, 20).map(({ key }) => `http://catalog.test${String(key)}`),
    );
    expect(names(manifestations[0])).toEqual(["rdrel:workManifested", "dcterms:title"]);
    expect(names(manifestations[1])).toEqual(["rdrel:workManifested", "dcterms:title", "dcterms:date"]);
    expect(new Set(attributes(manifestations, "rdrel:workManifested", "rdf:resource"))).toEqual(
      new Set(["http://catalog.test/works/OL1W"]),
    );
    expect(texts(manifestations, "dcterms:date")[0]).toBe("1911");
  });

  it("may be empty", () => {
    const bare = described({ record: typed("work", "/works/OL1W", {}) });
    expect(bare).toHaveLength(2);
    expect(names(bare[0])).toEqual([]);
  });
});

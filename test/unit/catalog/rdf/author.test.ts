import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { attributes, author, described, names } from "./fixture.ts";
import { elementsNamed } from "./well-formed.ts";

describe("renderRdf of an author", () => {
  it.each<[CatalogRecord, string]>([
    [{ entity_type: "org", birth_date: "1900" }, "foaf:Organization"],
    [{ entity_type: "person", birth_date: "1900" }, "foaf:Person"],
    [{ death_date: "1900" }, "foaf:Person"],
    [{ entity_type: "person" }, "foaf:Agent"],
    [{ birth_date: "" }, "foaf:Agent"],
    [{}, "foaf:Agent"],
  ])("%j is a %s", (members, name) => expect(described({ record: author(1, members) })[0]?.name).toBe(name));

  const record = author(1, {
    name: "Louis",
    enumeration: "XIV",
    title: "King",
    alternate_names: ["Roi-Soleil", "Ludovicus"],
    bio: { type: "/type/text", value: "He was." },
    birth_date: "1638",
    death_date: "1715",
    remote_ids: { viaf: "66462036", isni: "0000000121370423", wikidata: "Q38082", goodreads: "1" },
    wikipedia: "http://en.wikipedia.org/wiki/L",
    links: [{ title: "Society", url: "http://example.org/" }],
    photos: [-1, 0, null, 6257045, 7],
  });
  const elements = described({ record });

  it("keeps its order", () => {
    expect(elements[0]?.attributes.get("rdf:about")).toBe("http://catalog.test/authors/OL1A");
    expect(elements[0]?.children.map((child) => [child.name, child.text])).toEqual([
      ["foaf:name", "Louis, XIV"],
      ["rdg2:variantNameForThePerson", "Roi-Soleil"],
      ["rdg2:variantNameForThePerson", "Ludovicus"],
      ["rdg2:biographicalInformation", "He was."],
      ["rdg2:titleOfThePerson", "King"],
      ["bio:event", ""],
      ["bio:event", ""],
      ["owl:sameAs", ""],
      ["owl:sameAs", ""],
      ["owl:sameAs", ""],
      ["foaf:isPrimaryTopicOf", ""],
      ["foaf:page", ""],
      ["foaf:depiction", ""],
      ["foaf:depiction", ""],
    ]);
  });

  it("has birth and death", () => {
    const events = elementsNamed(elements[0]!, "bio:event").map(({ children: [event] }) => event);
    expect(events.map((event) => [event?.name, event?.children[0]?.name, event?.children[0]?.text])).toEqual([
      ["bio:Birth", "dcterms:date", "1638"],
      ["bio:Death", "dcterms:date", "1715"],
    ]);
  });

  it("links other authorities", () => {
    expect(attributes(elements, "owl:sameAs", "rdf:resource")).toEqual([
      "http://isni.org/isni/0000000121370423",
      "http://www.wikidata.org/entity/Q38082",
      "http://viaf.org/viaf/66462036",
    ]);
    expect(attributes(elements, "foaf:isPrimaryTopicOf", "rdf:resource")).toEqual([
      "http://en.wikipedia.org/wiki/L",
    ]);
    expect(attributes(elements, "foaf:Document", "rdf:about")).toEqual(["http://example.org/"]);
    expect(attributes(elements, "foaf:Image", "rdf:about")).toEqual([
      "http://covers.test/a/id/6257045-L.jpg",
      "http://covers.test/a/id/7-L.jpg",
    ]);
  });

  it("may have a name only, or none", () => {
    expect(names(described({ record: author(1, { name: "A" }) })[0])).toEqual(["foaf:name"]);
    expect(names(described({ record: author(1, {}) })[0])).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { renderRdf } from "../../../../src/catalog/rdf.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { HOSTILE, randomStream, randomText } from "../random.ts";
import { EDITION, TWO, WORK, author, described, map, names, rendered, typed } from "./fixture.ts";
import { parseXml } from "./well-formed.ts";

describe("renderRdf", () => {
  it.each(["list", "user", "redirect", "delete", "series"])("returns undefined for a %s", (type) => {
    const input = {
      record: typed(type, "/x", {}),
      authors: new Map(),
      baseUrl: "http://b",
      coversUrl: "http://c",
    };
    expect(renderRdf(input)).toBeUndefined();
  });

  it("declares its namespaces", () => {
    const root = parseXml(rendered({ record: typed("work", "/works/OL1W", {}) }));
    expect(root.name).toBe("rdf:RDF");
    expect(Object.fromEntries(root.attributes)).toEqual({
      "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
      "xmlns:rdfs": "http://www.w3.org/2000/01/rdf-schema#",
      "xmlns:owl": "http://www.w3.org/2002/07/owl#",
      "xmlns:dcterms": "http://purl.org/dc/terms/",
      "xmlns:dc": "http://purl.org/dc/elements/1.1/",
      "xmlns:dcam": "http://purl.org/dc/dcam/",
      "xmlns:bibo": "http://purl.org/ontology/bibo/",
      "xmlns:rdvocab": "http://RDVocab.info/elements/",
      "xmlns:rdrel": "http://RDVocab.info/RDARelationshipsWEMI/",
      "xmlns:rdg2": "http://rdvocab.info/ElementsGr2/",
      "xmlns:frbr": "http://purl.org/vocab/frbr/core#",
      "xmlns:foaf": "http://xmlns.com/foaf/0.1/",
      "xmlns:bio": "http://purl.org/vocab/bio/0.1/",
      "xmlns:ov": "http://open.vocab.org/terms/",
    });
  });

  it.each(["edition", "work", "author"])("ends the %s with times and revision", (type) => {
    const administrative = described({ record: typed(type, "/x/OL1X", {}) }).at(-1);
    expect(administrative?.name).toBe("rdf:Description");
    expect(administrative?.attributes.get("rdf:about")).toBe("");
    expect(administrative?.children.map(({ name, text }) => [name, text])).toEqual([
      ["dcterms:modified", "2026-08-25T09:15:03.120000"],
      ["dcterms:created", "2009-12-11T01:57:19.964652"],
      ["ov:versionnumber", "3"],
    ]);
    const datatypes = administrative?.children.map((child) => child.attributes.get("rdf:datatype"));
    expect(datatypes).toEqual([
      "http://www.w3.org/2001/XMLSchema#dateTime",
      "http://www.w3.org/2001/XMLSchema#dateTime",
      undefined,
    ]);
  });

  it("omits a missing creation time", () => {
    const record = { ...typed("author", "/authors/OL1A", {}), created: undefined };
    expect(names(described({ record }).at(-1))).toEqual(["dcterms:modified", "ov:versionnumber"]);
  });
});

describe("hostile records", () => {
  it("are well-formed and deterministic", () => {
    const random = randomStream(23);
    const text = (): string => randomText(random, HOSTILE, 10);
    const hostile = (record: CatalogRecord): CatalogRecord => ({
      ...(replaced(record, text) as CatalogRecord),
      type: record["type"],
    });
    const author1 = author(1, {
      name: "A",
      enumeration: "B",
      title: "C",
      alternate_names: ["D"],
      bio: "E",
      birth_date: "F",
      remote_ids: { viaf: "1", isni: ["2"], wikidata: "3" },
      wikipedia: "u",
      links: [{ title: "t", url: "u" }],
      photos: [1],
    });
    for (let round = 0; round < 40; round += 1) {
      for (const record of [hostile(EDITION), hostile(WORK), hostile(author1)]) {
        const input = {
          record,
          work: hostile(WORK),
          authors: map(hostile(TWO)),
          editions: [hostile(EDITION)],
        };
        const hosts = { baseUrl: `http://${text()}`, coversUrl: `http://${text()}` };
        const once = renderRdf({ ...input, ...hosts });
        expect(() => parseXml(once ?? "")).not.toThrow();
        expect(renderRdf(structuredClone({ ...input, ...hosts }))).toBe(once);
      }
    }
  });
});

/** A copy of a value with other texts in all places. */
function replaced(value: Json | undefined, text: () => string): Json | undefined {
  if (typeof value === "string") return text();
  if (Array.isArray(value)) return value.map((element) => replaced(element, text) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, text)]));
}

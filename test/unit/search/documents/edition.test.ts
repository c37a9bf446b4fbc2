import { describe, expect, it } from "vitest";
import { identifierFieldOf } from "../../../../src/search/documents/identifiers.ts";
import { author, builtEdition, edition, work } from "./sources.ts";

describe("buildEdition", () => {
  it("gives a bare record the members that every edition has", () => {
    expect(builtEdition({ key: "/books/OL1M" })).toStrictEqual({
      key: "/books/OL1M",
      type: "edition",
      work_key: ["OL1W"],
      ebook_access: "no_ebook",
      has_fulltext: false,
      public_scan_b: false,
      identifiers: {},
      scores: { access: 0, discovery: 0, evaluation: 0 },
    });
  });

  it("has the members of its record", () => {
    const record = edition(7, {
      title: "Quijote",
      title_prefix: "El",
      subtitle: "Primera parte",
      covers: [-1, 12, 13],
      languages: [{ key: "/languages/spa" }, { key: "/l/cat" }, "/languages/eng", { key: "/languages/spa" }],
      edition_name: "2. ed.",
      publishers: ["[S.n.]", "sn", "Porrúa", "Snow", "", "Porrúa"],
      physical_format: "Hardcover",
      publish_date: "April 1999",
      lccn: [" 94200274 ", "agr 62-298"],
      oclc_numbers: [" 123 "],
      ia_box_id: ["IA1", "ia1"],
      ocaid: "quijote00cerv",
    });
    const items = new Map([
      [
        "quijote00cerv",
        { collections: ["texts", "fav-me", "inlibrary"], accessRestricted: false, boxId: "IA2" },
      ],
    ]);
    const authors = [author(1, { alternate_names: ["C."] })];
    expect(builtEdition(record, { items, authors })).toMatchObject({
      title: "El Quijote",
      subtitle: "Primera parte",
      alternative_title: ["El Quijote: Primera parte"],
      cover_i: 12,
      language: ["spa", "cat", "eng"],
      edition_name: ["2. ed."],
      publisher: ["Sine nomine", "Porrúa", "Snow"],
      format: ["Hardcover"],
      publish_date: ["April 1999"],
      publish_year: [1999],
      lccn: ["94200274", "agr62000298"],
      oclc: ["123"],
      ia: ["quijote00cerv"],
      ia_collection: ["inlibrary", "texts"],
      ia_box_id: ["IA1", "IA2"],
      author_key: ["OL1A"],
      author_name: ["Author 1"],
      author_alternative_name: ["C."],
      ebook_access: "borrowable",
      ebook_provider: ["ia"],
      has_fulltext: true,
      public_scan_b: false,
    });
  });

  it("names providers, the deciding one first", () => {
    const record = edition(1, {
      ocaid: "a",
      identifiers: { project_gutenberg: ["1"], librivox: ["2"], openstax: [], betterworldbooks: ["3"] },
      providers: [{ url: "https://example.org", access: "buy" }],
    });
    const { ebook_provider, ebook_access } = builtEdition(record);
    expect(ebook_provider).toEqual(["direct", "librivox", "project_gutenberg", "ia", "betterworldbooks"]);
    expect(ebook_access).toBe("no_ebook");
  });

  it("judges an unknown scan by the work's subjects on request", () => {
    const record = edition(1, { ocaid: "a" });
    const sources = { work: work({ subjects: ["In library"] }) };
    expect(builtEdition(record, sources)).toMatchObject({ ebook_access: "unclassified" });
    expect(builtEdition(record, { ...sources, deriveItems: true })).toMatchObject({
      ebook_access: "borrowable",
      ia_collection: ["inlibrary", "printdisabled"],
    });
  });
});

describe("ISBNs", () => {
  it.each([
    [{ isbn_10: ["123456789X"] }, ["123456789X", "9781234567897"]],
    [{ isbn_13: ["978-0-940787-08-7"] }, ["9780940787087", "0940787083"]],
    [{ isbn_10: ["0940787083"], isbn_13: ["9780940787087"] }, ["9780940787087", "0940787083"]],
    [{ isbn_10: [" 0940787083_ ", "_"] }, ["0940787083", "9780940787087"]],
    [{ isbn_10: ["noise"] }, ["noise"]],
    [{}, undefined],
  ])("of %j are %j", (members, isbn) => expect(builtEdition(edition(1, members)).isbn).toEqual(isbn));
});

describe("identifiers", () => {
  it.each([
    ["Some.Weird.Key##", "id_some_weird_key"],
    ["project_gutenberg", "id_project_gutenberg"],
    ["a,b:c", "id_a_b_c"],
    ["isni (x)", undefined],
    ["paperback_swap/(old)", "id_paperback_swapold"],
    ["búsqueda", "id_búsqueda"],
    ["", undefined],
  ])("of %j are in the field %j", (source, field) => expect(identifierFieldOf(source)).toBe(field));

  it.each([
    [{ "Some.Weird.Key##": ["  id-1  ", null, "id-1", "id-2  "] }, { id_some_weird_key: ["id-1", "id-2"] }],
    [{ nothing: [null, ""] }, {}],
    [
      { number: [1], text: "2" },
      { id_number: ["1"], id_text: ["2"] },
    ],
    [{ "a.b": ["1"], a_b: ["2", "1"] }, { id_a_b: ["1", "2"] }],
  ])("%j are %j", (identifiers, fields) => {
    expect(builtEdition(edition(1, { identifiers })).identifiers).toEqual(fields);
  });
});

describe("chapters", () => {
  it("are one text a row", () => {
    const table_of_contents = [
      "Bare",
      { type: "/type/text", value: "Text" },
      { level: 0, label: "Chapter 1", title: "One", pagenum: "1" },
      { title: "Two", subtitle: "More", authors: [{ name: "A" }, { author: { key: "/x" } }, { name: "B" }] },
      { level: 1, label: "", title: "", pagenum: "" },
      { class: "chapter" },
      "",
      null,
    ];
    expect(builtEdition(edition(5, { table_of_contents })).chapter).toEqual([
      "OL5M | Bare",
      "OL5M | Text",
      "OL5M | Chapter 1 | One | 1",
      "OL5M |  | Two: More (A, B) | ",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { toDataEntry } from "../../../../src/catalog/lookup/entries.ts";
import type { EditionBundle } from "../../../../src/catalog/lookup/bundle.ts";
import type { CatalogRecord, Json, JsonObject } from "../../../../src/catalog/record.ts";
import { lendingStatus } from "../../../support/lending/status.ts";
import { CONFIG, FOO, bundleOf, byKey, record } from "./fixture.ts";

const RIVERS: EditionBundle = {
  edition: record("edition", "/books/OL9M", {
    title: "Rivers",
    subtitle: "a tale",
    by_statement: "by A. Writer",
    works: [{ key: "/works/OL9W" }],
    identifiers: { goodreads: ["777"] },
    isbn_10: ["0451526538"],
    lccn: ["12034567"],
    oclc_numbers: ["4242"],
    lc_classifications: ["PS1306"],
    publishers: ["Acme Press"],
    publish_places: ["Leiden"],
    publish_date: "1912",
    number_of_pages: 100,
    pagination: "100 p.",
    first_sentence: { type: "/type/text", value: "Once." },
    covers: [42],
    ocaid: "rivers00writ",
  }),
  work: record("work", "/works/OL9W", {
    title: "Rivers",
    authors: [{ author: { key: "/authors/OL9A" } }],
    subjects: ["River boats"],
    subject_people: ["Jim Hawk"],
    links: [{ title: "Review", url: "https://example.org/r" }],
  }),
  authors: byKey(record("author", "/authors/OL9A", { name: "A. Writer" })),
  access: "public",
};

/** Entry as clients receive it: JSON has no undefined members. */
const entryOf = (bundle: EditionBundle): JsonObject =>
  JSON.parse(JSON.stringify(toDataEntry(bundle, CONFIG))) as JsonObject;
const ofEdition = (members: CatalogRecord): JsonObject =>
  entryOf(bundleOf(record("edition", "/books/OL9M", members)));
const ofWork = (members: CatalogRecord, others: Partial<EditionBundle> = {}): JsonObject =>
  entryOf(
    bundleOf(record("edition", "/books/OL9M"), { work: record("work", "/works/OL9W", members), ...others }),
  );

describe("toDataEntry", () => {
  it("has its members in order", () => {
    expect(JSON.stringify(entryOf(RIVERS))).toBe(
      '{"url":"http://localhost:8080/books/OL9M/Rivers","key":"/books/OL9M","title":"Rivers","subtitle":"a tale",' +
        '"by_statement":"by A. Writer",' +
        '"authors":[{"url":"http://localhost:8080/authors/OL9A/A._Writer","name":"A. Writer"}],' +
        '"identifiers":{"goodreads":["777"],"isbn_10":["0451526538"],"lccn":["12034567"],"oclc":["4242"],' +
        '"openlibrary":["OL9M"]},"classifications":{"lc_classifications":["PS1306"]},' +
        '"publishers":[{"name":"Acme Press"}],"publish_places":[{"name":"Leiden"}],"publish_date":"1912",' +
        '"number_of_pages":100,"pagination":"100 p.",' +
        '"subjects":[{"name":"River boats","url":"http://localhost:8080/subjects/river_boats"}],' +
        '"subject_people":[{"name":"Jim Hawk","url":"http://localhost:8080/subjects/person:jim_hawk"}],' +
        '"links":[{"title":"Review","url":"https://example.org/r"}],' +
        '"excerpts":[{"text":"Once.","comment":"","first_sentence":true}],' +
        '"cover":{"small":"http://localhost:7075/b/id/42-S.jpg","medium":"http://localhost:7075/b/id/42-M.jpg",' +
        '"large":"http://localhost:7075/b/id/42-L.jpg"},' +
        '"ebooks":[{"preview_url":"https://archive.org/details/rivers00writ","availability":"full",' +
        '"formats":{"pdf":{"url":"https://archive.org/download/rivers00writ/rivers00writ.pdf"},' +
        '"epub":{"url":"https://archive.org/download/rivers00writ/rivers00writ.epub"},' +
        '"text":{"url":"https://archive.org/download/rivers00writ/rivers00writ_djvu.txt"}},' +
        '"read_url":"https://archive.org/stream/rivers00writ"}]}',
    );
  });

  it("has address, key and number for a bare edition", () => {
    expect(ofEdition({})).toEqual({
      url: "http://localhost:8080/books/OL9M/untitled",
      key: "/books/OL9M",
      identifiers: { openlibrary: ["OL9M"] },
    });
  });

  it("omits the number of an edition without one", () => {
    const edition = record("edition", "/books/ia:foo00bar");
    expect(entryOf(bundleOf(edition))).not.toHaveProperty("identifiers");
  });

  it("omits empty members", () => {
    const data = ofEdition({
      title: "",
      subtitle: null,
      number_of_pages: 0,
      publishers: [],
      publish_places: "",
      pagination: "",
      identifiers: { goodreads: [] },
      classifications: { ddc: [] },
      covers: [-1],
      table_of_contents: [{ level: 0 }],
      notes: "",
      weight: false,
    });
    expect(Object.keys(data)).toEqual(["url", "key", "identifiers"]);
  });

  it("omits members of other formats", () => {
    const data = ofEdition({
      languages: [{ key: "/languages/eng" }],
      description: "x",
      series: ["y"],
      subjects: ["z"],
    });
    expect(Object.keys(data)).toEqual(["url", "key", "identifiers"]);
  });

  it("keeps the page number as stored", () => {
    expect(ofEdition({ number_of_pages: "112 p." })["number_of_pages"]).toBe("112 p.");
  });

  it("overrides identifiers by the edition's own fields", () => {
    const data = ofEdition({
      identifiers: { oclc: ["old"], openlibrary: ["old"], isbn_13: ["old"], dnb: "1", goodreads: ["2"] },
      oclc_numbers: ["1"],
      classifications: { lc_classifications: ["old"], bbk: ["3"] },
      dewey_decimal_class: ["823"],
    });
    expect(JSON.stringify(data["identifiers"])).toBe(
      '{"oclc":["1"],"openlibrary":["OL9M"],"dnb":["1"],"goodreads":["2"]}',
    );
    expect(JSON.stringify(data["classifications"])).toBe('{"bbk":["3"],"dewey_decimal_class":["823"]}');
  });
});

describe("authors", () => {
  const authors = byKey(
    record("author", "/authors/OL1A", { name: "One" }),
    record("author", "/authors/OL2A"),
    record("redirect", "/authors/OL3A", { location: "/authors/OL1A" }),
    record("delete", "/authors/OL4A"),
  );
  const roles = [2, 3, 4, 5].map((number) => ({ author: { key: `/authors/OL${number}A` } }));

  it("are the work's, with redirects followed and missing ones skipped", () => {
    expect(ofWork({ authors: roles }, { authors })["authors"]).toEqual([
      { url: "http://localhost:8080/authors/OL2A/unnamed", name: "" },
      { url: "http://localhost:8080/authors/OL1A/One", name: "One" },
    ]);
  });

  it("are the edition's without a work", () => {
    const edition = record("edition", "/books/OL9M", { authors: [{ key: "/authors/OL1A" }] });
    const url = "http://localhost:8080/authors/OL1A/One";
    expect(entryOf(bundleOf(edition, { authors }))["authors"]).toEqual([{ url, name: "One" }]);
    const work = record("work", "/works/OL9W");
    expect(entryOf(bundleOf(edition, { authors, work }))).not.toHaveProperty("authors");
  });
});

describe("subjects", () => {
  it.each([
    ["subjects", ""],
    ["subject_people", "person:"],
    ["subject_places", "place:"],
    ["subject_times", "time:"],
  ])("of the member %s link to %j", (member, prefix) => {
    const data = ofWork({ [member]: ["Big  City, É"] });
    expect(data[member]).toEqual([
      { name: "Big  City, É", url: `http://localhost:8080/subjects/${prefix}big__city,_é` },
    ]);
  });

  it.each<[string, Json, JsonObject]>([
    [
      "a text object",
      { type: "/type/text", value: "Old Sea" },
      { name: "Old Sea", url: "http://localhost:8080/subjects/old_sea" },
    ],
    [
      "a reference",
      { key: "/subjects/old_sea" },
      { name: "old sea", url: "http://localhost:8080/subjects/old_sea" },
    ],
    ["something else", { x: 1 }, {}],
  ])("accept an old form: %s", (_what, stored, link) =>
    expect(ofWork({ subjects: [stored] })["subjects"]).toEqual([link]),
  );
});

const opening = (text: string): Json => ({ text, comment: "", first_sentence: true });

describe("excerpts", () => {
  const excerpts = [
    { excerpt: "Plain", comment: "c", pages: "3" },
    { excerpt: { type: "/type/text", value: "Object" } },
    { comment: "no excerpt" },
    "text",
  ];
  const shown = [
    { text: "Plain", comment: "c" },
    { text: "Object", comment: "" },
  ];

  it("are the work's", () => expect(ofWork({ excerpts })["excerpts"]).toEqual(shown));

  it("begin with the first sentence of the edition or the work", () => {
    const members = { excerpts, first_sentence: "Of the work." };
    const edition = record("edition", "/books/OL9M", { first_sentence: "Of the edition." });
    expect(ofWork(members)["excerpts"]).toEqual([opening("Of the work."), ...shown]);
    expect(ofWork(members, { edition })["excerpts"]).toEqual([opening("Of the edition."), ...shown]);
    expect(entryOf(bundleOf(edition))["excerpts"]).toEqual([opening("Of the edition.")]);
  });
});

describe("small members", () => {
  it("notes are text", () => {
    expect(ofEdition({ notes: { type: "/type/text", value: "n" } })["notes"]).toBe("n");
    expect(ofEdition({ notes: "n" })["notes"]).toBe("n");
  });

  it("rows of contents have four members", () => {
    const stored = ["A", { title: "B", level: 1, subtitle: "s" }, { level: 0 }, { pagenum: "3" }];
    expect(JSON.stringify(ofEdition({ table_of_contents: stored })["table_of_contents"])).toBe(
      '[{"level":0,"label":"","title":"A","pagenum":""},{"level":1,"label":"","title":"B","pagenum":""},' +
        '{"level":0,"label":"","title":"","pagenum":"3"}]',
    );
  });

  it("links need an address but no title", () => {
    const links = [{ title: "t", url: "u" }, { url: "v" }, { title: "w" }, { url: "" }, "x"];
    expect(ofWork({ links })["links"]).toEqual([
      { title: "t", url: "u" },
      { title: null, url: "v" },
    ]);
  });
});

const scan = (members: Partial<EditionBundle>): Json | undefined => entryOf({ ...FOO, ...members })["ebooks"];

describe("ebooks", () => {
  const preview_url = "https://archive.org/details/foo00bar";

  it.each([
    ["no_ebook", "noview"],
    ["unclassified", "noview"],
    ["printdisabled", "restricted"],
  ] as const)("offer nothing for %s", (access, availability) => {
    expect(scan({ access })).toEqual([{ preview_url, availability, formats: {} }]);
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ free: 0, activeBorrows: 1 }, true],
    [{ free: 0, reserved: 1, waiting: 1 }, true],
    [{ copies: 2, free: 1, activeBorrows: 1 }, false],
    [{ isLendable: false, free: 0, copies: 0 }, false],
  ])("with lending status %j are lent out: %s", (status, checkedout) => {
    const lending = status === undefined ? {} : { lending: lendingStatus(status) };
    expect(scan(lending)).toEqual([expect.objectContaining({ availability: "borrow", checkedout })]);
  });

  it("are absent without a scan", () => {
    expect(entryOf(bundleOf(record("edition", "/books/OL9M"), { access: "public" }))).not.toHaveProperty(
      "ebooks",
    );
  });
});

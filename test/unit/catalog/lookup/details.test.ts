import { describe, expect, it } from "vitest";
import { toDetailsEntry, toViewapiEntry } from "../../../../src/catalog/lookup/entries.ts";
import { CONFIG, FOO, bundleOf, byKey, record } from "./fixture.ts";

describe("toDetailsEntry", () => {
  it("has its members in order", () => {
    const edition = record("edition", "/books/OL2M", {
      title: "Rivers",
      ocaid: "rivers00writ",
      authors: [{ key: "/authors/OL9A" }],
      works: [{ key: "/works/OL9W" }],
      revision: 3,
    });
    const authors = byKey(record("author", "/authors/OL9A", { name: "A. Writer" }));
    expect(
      JSON.stringify(toDetailsEntry("OL2M", bundleOf(edition, { authors, access: "borrowable" }), CONFIG)),
    ).toBe(
      '{"bib_key":"OL2M","info_url":"http://localhost:8080/books/OL2M/Rivers","preview":"borrow",' +
        '"preview_url":"https://archive.org/details/rivers00writ","details":{"key":"/books/OL2M",' +
        '"type":{"key":"/type/edition"},"title":"Rivers","ocaid":"rivers00writ",' +
        '"authors":[{"key":"/authors/OL9A","name":"A. Writer"}],"works":[{"key":"/works/OL9W"}],"revision":3}}',
    );
  });

  it("names authors, follows redirects and skips missing ones", () => {
    const edition = record("edition", "/books/OL2M", {
      authors: [1, 2, 3, 4, 5].map((number) => ({ key: `/authors/OL${number}A` })),
    });
    const authors = byKey(
      record("author", "/authors/OL1A", { name: "One" }),
      record("author", "/authors/OL2A"),
      record("redirect", "/authors/OL3A", { location: "/authors/OL1A" }),
      record("delete", "/authors/OL4A"),
    );
    expect(toDetailsEntry("x", bundleOf(edition, { authors }), CONFIG).details["authors"]).toEqual([
      { key: "/authors/OL1A", name: "One" },
      { key: "/authors/OL2A", name: "" },
      { key: "/authors/OL1A", name: "One" },
    ]);
  });
});

describe("toViewapiEntry", () => {
  it("has its members in order", () => {
    const edition = record("edition", "/books/OL1017798M", {
      title: "The adventures of Tom Sawyer",
      covers: [295577],
    });
    expect(JSON.stringify(toViewapiEntry("ISBN:0451526538", bundleOf(edition), CONFIG))).toBe(
      '{"bib_key":"ISBN:0451526538",' +
        '"info_url":"http://localhost:8080/books/OL1017798M/The_adventures_of_Tom_Sawyer","preview":"noview",' +
        '"preview_url":"http://localhost:8080/books/OL1017798M/The_adventures_of_Tom_Sawyer",' +
        '"thumbnail_url":"http://localhost:7075/b/id/295577-S.jpg"}',
    );
  });

  it.each([
    ["no_ebook", "noview"],
    ["unclassified", "noview"],
    ["printdisabled", "restricted"],
    ["borrowable", "borrow"],
    ["public", "full"],
  ] as const)("previews %s as %s, and nothing without a scan", (access, preview) => {
    expect(toViewapiEntry("x", { ...FOO, access }, CONFIG).preview).toBe(preview);
    const without = toViewapiEntry("x", bundleOf(record("edition", "/books/OL2M"), { access }), CONFIG);
    expect(without).toEqual({
      bib_key: "x",
      info_url: "http://localhost:8080/books/OL2M/untitled",
      preview: "noview",
      preview_url: "http://localhost:8080/books/OL2M/untitled",
    });
  });

  it("has no thumbnail of removed covers", () => {
    const edition = record("edition", "/books/OL2M", { covers: [-1, null] });
    expect(toViewapiEntry("x", bundleOf(edition), CONFIG)).not.toHaveProperty("thumbnail_url");
  });
});

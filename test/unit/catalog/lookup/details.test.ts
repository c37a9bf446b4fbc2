import { describe, expect, it } from "vitest";
import { detailsEntry } from "../../../../src/catalog/lookup/details.ts";
import { CONFIG, bundleOf, byKey, record } from "./fixture.ts";

describe("detailsEntry", () => {
  it("is the contract's example, members in its order", () => {
    const edition = record("edition", "/books/OL2M", {
      title: "Rivers",
      ocaid: "rivers00writ",
      authors: [{ key: "/authors/OL9A" }],
      works: [{ key: "/works/OL9W" }],
      revision: 3,
    });
    const authors = byKey(record("author", "/authors/OL9A", { name: "A. Writer" }));
    expect(
      JSON.stringify(detailsEntry("OL2M", bundleOf(edition, { authors, access: "borrowable" }), CONFIG)),
    ).toBe(
      '{"bib_key":"OL2M","info_url":"http://localhost:8080/books/OL2M/Rivers","preview":"borrow",' +
        '"preview_url":"https://archive.org/details/rivers00writ","details":{"key":"/books/OL2M",' +
        '"type":{"key":"/type/edition"},"title":"Rivers","ocaid":"rivers00writ",' +
        '"authors":[{"key":"/authors/OL9A","name":"A. Writer"}],"works":[{"key":"/works/OL9W"}],"revision":3}}',
    );
  });

  it("keeps the record as it is stored but for its authors", () => {
    const edition = record("edition", "/books/OL2M", {
      description: { type: "/type/text", value: "x" },
      notes: "y",
      covers: [-1],
      identifiers: {},
      created: { type: "/type/datetime", value: "2011-06-08T17:42:09.512207" },
    });
    const { details } = detailsEntry("OL2M", bundleOf(edition), CONFIG);
    expect(details).toEqual(edition);
    expect(details).not.toHaveProperty("preview");
  });

  it("names authors, follows their redirects, and skips those that dangle", () => {
    const edition = record("edition", "/books/OL2M", {
      authors: [1, 2, 3, 4, 5].map((number) => ({ key: `/authors/OL${number}A` })),
    });
    const authors = byKey(
      record("author", "/authors/OL1A", { name: "One" }),
      record("author", "/authors/OL2A"),
      record("redirect", "/authors/OL3A", { location: "/authors/OL1A" }),
      record("delete", "/authors/OL4A"),
    );
    expect(detailsEntry("x", bundleOf(edition, { authors }), CONFIG).details["authors"]).toEqual([
      { key: "/authors/OL1A", name: "One" },
      { key: "/authors/OL2A", name: "" },
      { key: "/authors/OL1A", name: "One" },
    ]);
  });
});

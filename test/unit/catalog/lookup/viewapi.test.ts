import { describe, expect, it } from "vitest";
import { viewapiEntry } from "../../../../src/catalog/lookup/details.ts";
import { CONFIG, FOO, bundleOf, record } from "./fixture.ts";

describe("viewapiEntry", () => {
  it("is the contract's example, members in its order", () => {
    const edition = record("edition", "/books/OL1017798M", {
      title: "The adventures of Tom Sawyer",
      covers: [295577],
    });
    expect(JSON.stringify(viewapiEntry("ISBN:0451526538", bundleOf(edition), CONFIG))).toBe(
      '{"bib_key":"ISBN:0451526538",' +
        '"info_url":"http://localhost:8080/books/OL1017798M/The_adventures_of_Tom_Sawyer","preview":"noview",' +
        '"preview_url":"http://localhost:8080/books/OL1017798M/The_adventures_of_Tom_Sawyer",' +
        '"thumbnail_url":"http://localhost:7075/b/id/295577-S.jpg"}',
    );
  });

  it("meets the acceptance vector", () => {
    expect(viewapiEntry("OLID:ol1m", FOO, CONFIG)).toEqual({
      bib_key: "OLID:ol1m",
      info_url: "http://localhost:8080/books/OL1M/Foo_a_bar_(2nd_ed.)",
      preview: "borrow",
      preview_url: "https://archive.org/details/foo00bar",
      thumbnail_url: "http://localhost:7075/b/id/7-S.jpg",
    });
  });

  it.each([
    ["no_ebook", "noview"],
    ["unclassified", "noview"],
    ["printdisabled", "restricted"],
    ["borrowable", "borrow"],
    ["public", "full"],
  ] as const)("previews %s as %s, and nothing without a scan", (access, preview) => {
    expect(viewapiEntry("x", { ...FOO, access }, CONFIG).preview).toBe(preview);
    const without = viewapiEntry("x", bundleOf(record("edition", "/books/OL2M"), { access }), CONFIG);
    expect(without).toEqual({
      bib_key: "x",
      info_url: "http://localhost:8080/books/OL2M/untitled",
      preview: "noview",
      preview_url: "http://localhost:8080/books/OL2M/untitled",
    });
  });

  it("has no thumbnail of covers that were taken away", () => {
    const edition = record("edition", "/books/OL2M", { covers: [-1, null] });
    expect(viewapiEntry("x", bundleOf(edition), CONFIG)).not.toHaveProperty("thumbnail_url");
  });
});

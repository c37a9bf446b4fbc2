import { describe, expect, it } from "vitest";
import { availability, scanOf } from "../../../../src/search/present/availability.ts";

describe("scanOf", () => {
  it.each([
    [{}, undefined],
    [{ ia: ["one", "two"] }, "one"],
    [{ ia: ["one"], lending_identifier_s: "lent", first_publish_year: 1923 }, "one"],
    [{ ia: ["one"], lending_identifier_s: "lent", first_publish_year: 1924 }, "lent"],
    [{ ia: ["one"], lending_identifier_s: "lent" }, "one"],
    [{ ia: ["x_librivox_y", "bookgut", "my-runeberg-1", "gutenbergish"] }, "gutenbergish"],
    [{ ia: ["x_librivox"] }, undefined],
    [{ ocaid: "own", ia: ["one"] }, "own"],
  ])("%j: %s", (document, expected) => {
    expect(scanOf(document)).toBe(expected);
  });
});

describe("availability", () => {
  it.each([
    [
      "public",
      { status: "open", is_readable: true, is_lendable: false, is_printdisabled: true, is_restricted: false },
    ],
    [
      "borrowable",
      {
        status: "borrow_available",
        available_to_browse: true,
        available_to_borrow: true,
        is_lendable: true,
        is_browseable: true,
        is_previewable: true,
        is_restricted: true,
      },
    ],
    ["printdisabled", { status: "error", is_printdisabled: true, is_lendable: false, is_restricted: true }],
    [
      "unclassified",
      { status: "error", is_printdisabled: false, is_previewable: false, is_restricted: true },
    ],
  ])("%s", (access, expected) => {
    const made = availability({ ebook_access: access }, { scan: "item1", work: "OL1W" });
    expect(made).toMatchObject(expected);
    expect(made).toMatchObject({ identifier: "item1", openlibrary_work: "OL1W", openlibrary_edition: null });
    expect(Object.keys(made)).toHaveLength(19);
  });
});

import { describe, expect, it } from "vitest";
import { canonicalIsbn } from "../../../src/catalog/identifiers/isbn.ts";
import { normalizeLccn } from "../../../src/catalog/identifiers/control-numbers.ts";
import type { Json } from "../../../src/catalog/record.ts";
import { publicationYear } from "../../../src/import/record.ts";
import { decodedText, splitSubtitle } from "../../../src/import/load/normalize-texts.ts";
import { HAS_FIXTURES, vectors } from "./shared-fixtures.ts";

describe.skipIf(!HAS_FIXTURES)("vectors of small functions", () => {
  it.each(vectors<Json, number | null>("publication_year"))("year of %j: %j", (date, year) => {
    expect(publicationYear(date) ?? null).toBe(year);
  });

  it.each(vectors<string, string>("isbn_canonical"))("ISBN %j: %j", (text, isbn) => {
    expect(canonicalIsbn(text) ?? "").toBe(isbn);
  });

  it.each(vectors<string, string | null>("lccn_normalize"))("LCCN %j: %j", (text, lccn) => {
    expect(normalizeLccn(text) ?? null).toBe(lccn);
  });

  it.each(vectors<string, [string, string | null]>("split_subtitle"))(
    "title %j: %j",
    (full, [title, rest]) => {
      const [main, subtitle = null] = splitSubtitle(full);
      expect([main, subtitle]).toEqual([title, rest]);
    },
  );

  it.each(vectors<string, string>("html_unescape"))("references in %j: %j", (text, decoded) => {
    expect(decodedText(text)).toBe(decoded);
  });
});

describe("publicationYear", () => {
  it.each<[Json, number | undefined]>([
    ["c1999", undefined],
    ["©1999", 1999],
    ["1999年", undefined],
    ["[1999?]", 1999],
    ["1998_1999", undefined],
    ["", undefined],
    [1999.5, 1999],
    [["1999"], undefined],
  ])("%j: %j", (date, year) => expect(publicationYear(date)).toBe(year));
});

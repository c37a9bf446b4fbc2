import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/catalog/record.ts";
import { toAllowedCoverUrl } from "../../../../src/import/records/decision.ts";
import { importedLanguageKeys } from "../../../../src/import/records/members.ts";
import type { ImportWarning } from "../../../../src/import/warning.ts";
import { buildLanguageIndex } from "../../../../src/db/imports/language-index.ts";
import { LANGUAGES } from "../../../support/import/small-catalog.ts";

describe("importedLanguageKeys", () => {
  const index = buildLanguageIndex([
    ...LANGUAGES,
    { key: "/languages/old", name: "Old", deprecated: true, identifiers: { iso_639_1: ["ol"] } },
  ]);

  it.each<[Json, string[]]>([
    [
      ["ENG", "fre"],
      ["eng", "fre"],
    ],
    [
      ["German", "Deutsch", "es"],
      ["ger", "spa"],
    ],
    [
      ["/languages/eng", { key: "/languages/fre" }, " EN "],
      ["eng", "fre"],
    ],
    [["Français", "FRANCAIS"], ["fre"]],
    [["XA"], ["xaa"]],
    [
      ["deu", "fra", "en-US", "allemand", "/languages/deu"],
      ["ger", "fre", "eng"],
    ],
    [[], []],
    ["eng", []],
  ])("%j: %j", (values, codes) => {
    expect(importedLanguageKeys(["languages", values], index, [])).toEqual(
      codes.map((code) => `/languages/${code}`),
    );
  });

  it.each<[Json, string]>([
    ["WTF", "WTF"],
    ["Twin", "Twin"],
    ["old", "old"],
    ["Old", "Old"],
    ["ol", "ol"],
    ["", ""],
    [7, "7"],
    ["/languages/wtf", "/languages/wtf"],
    ["constructor", "constructor"],
  ])("%j is not a language", (value, shown) => {
    const warnings: ImportWarning[] = [];
    const keys = importedLanguageKeys(["languages", ["eng", value]], index, warnings);
    expect([keys, warnings]).toEqual([
      ["/languages/eng"],
      [expect.objectContaining({ field: "languages", value: shown, code: "invalid-language" })],
    ]);
  });
});

describe("toAllowedCoverUrl", () => {
  const hosts = ["m.media-amazon.com", "archive.org"];

  it.each([
    ["https://m.media-amazon.com/a.jpg", "https://m.media-amazon.com/a.jpg"],
    ["http://m.media-amazon.com/a.jpg", "http://m.media-amazon.com/a.jpg"],
    [" https://m.MEDIA-amazon.com/a b.jpg", "https://m.media-amazon.com/a%20b.jpg"],
  ])("%j is taken", (cover, address) => expect(toAllowedCoverUrl(cover, hosts)).toBe(address));

  it.each<Json>([
    null,
    7,
    "",
    "a.jpg",
    "https://not-supported.org/a.jpg",
    "https://x.archive.org/a.jpg",
    "https://archive.org.example/a.jpg",
    "https://archive.org:8443/a.jpg",
    "https://archive.org@evil.example/a.jpg",
    "https://user:word@archive.org/a.jpg",
    "ftp://archive.org/a.jpg",
    "javascript://archive.org/%0aalert(1)",
    "//archive.org/a.jpg",
  ])("%j is not", (cover) => expect(toAllowedCoverUrl(cover, hosts)).toBeUndefined());
});

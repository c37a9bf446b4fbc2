import { describe, expect, it } from "vitest";
import {
  isLegacyKey,
  keyOfAddress,
  recordKeyOfOlid,
  keyMatchesType,
  olidOfKey,
  parseOlid,
  rewriteLegacyKey,
} from "../../../src/catalog/keys.ts";

describe("keyOfAddress", () => {
  it.each([
    ["OL1W", "/works/OL1W"],
    [" ol1w ", "/works/OL1W"],
    ["/works/OL1W", "/works/OL1W"],
    ["/b/OL2M", "/books/OL2M"],
    ["http://host/works/OL1W/Emma", "/works/OL1W"],
    ["https://host:8080/lib/books/OL2M/A_(b)?v=1#x", "/books/OL2M"],
    ["http://host/authors/OL3A.json", "/authors/OL3A"],
    ["http://host/reconcile/view/OL1W", "/works/OL1W"],
    ["http://host/works/OL1WW", undefined],
    ["OL1W/x", undefined],
    ["see /works/OL1W", undefined],
    ["Emma", undefined],
  ])("%j: %s", (text, key) => expect(keyOfAddress(text)).toBe(key));
});

describe("parseOlid", () => {
  it.each([
    ["OL1W", "work", 1, "OL1W"],
    ["ol7353617m", "edition", 7353617, "OL7353617M"],
    ["Ol34a", "author", 34, "OL34A"],
    ["OL5L", "list", 5, "OL5L"],
    ["OL6T", "tag", 6, "OL6T"],
    ["ol8p", "publisher", 8, "OL8P"],
    ["OL007M", "edition", 7, "OL007M"],
  ] as const)("%s", (text, kind, number, olid) => expect(parseOlid(text)).toEqual({ kind, number, olid }));

  it.each([
    "",
    "OL",
    "OLW",
    "OL1",
    "OL1X",
    "OL1WW",
    " OL1W",
    "OL1W ",
    "/works/OL1W",
    "OL-1W",
    "OL1.5W",
    "OL١W",
    `OL${"9".repeat(16)}W`,
  ])("refuses %j", (text) => expect(parseOlid(text)).toBeUndefined());

  it("takes the configured prefix only, in its case", () => {
    expect(parseOlid("lib12w", "LIB")).toEqual({ kind: "work", number: 12, olid: "LIB12W" });
    expect(parseOlid("LIB12W", "lib")?.olid).toBe("lib12W");
    expect(parseOlid("OL12W", "LIB")).toBeUndefined();
    expect(parseOlid("O.12W", "O.")?.olid).toBe("O.12W");
    expect(parseOlid("OX12W", "O.")).toBeUndefined();
  });
});

describe("recordKeyOfOlid", () => {
  it.each([
    ["ol1w", "/works/OL1W"],
    ["OL1M", "/books/OL1M"],
    ["OL1A", "/authors/OL1A"],
    ["OL1L", "/lists/OL1L"],
    ["OL1T", "/tags/OL1T"],
    ["OL1P", "/publishers/OL1P"],
    ["OL1Q", undefined],
  ])("%s: %s", (text, key) => expect(recordKeyOfOlid(text)).toBe(key));

  it("uses the prefix", () => expect(recordKeyOfOlid("xx3a", "XX")).toBe("/authors/XX3A"));
});

describe("olidOfKey", () => {
  it.each([
    ["/works/OL1W", "OL1W"],
    ["/people/jane/lists/OL3L", "OL3L"],
    ["/books/XX9M", "XX9M"],
    ["/languages/eng", undefined],
    ["/books/ia:foo00bar", undefined],
    ["/works/ol1w", undefined],
    ["/works/OL1W/", undefined],
    ["", undefined],
  ])("%s: %s", (key, olid) => expect(olidOfKey(key)).toBe(olid));
});

describe("rewriteLegacyKey", () => {
  it.each([
    ["/a/OL1A", "/authors/OL1A"],
    ["/b/OL1M", "/books/OL1M"],
    ["/l/eng", "/languages/eng"],
    ["/user/jane", "/people/jane"],
    ["/user/jane/lists/OL1L", "/people/jane/lists/OL1L"],
  ])("%s becomes %s", (key, expected) => {
    expect(rewriteLegacyKey(key)).toBe(expected);
    expect(isLegacyKey(key)).toBe(true);
    expect(isLegacyKey(expected)).toBe(false);
  });

  it.each(["/authors/OL1A", "/about", "/a", "/c/x", "/users/x", "/x/a/OL1A", "a/OL1A", "/A/OL1A", "", "/"])(
    "keeps %j",
    (key) => {
      expect(rewriteLegacyKey(key)).toBe(key);
      expect(isLegacyKey(key)).toBe(false);
    },
  );
});

describe("keyMatchesType", () => {
  /** Each fits its type, and only that. */
  const HOMES: [type: string, ...keys: string[]][] = [
    ["/type/edition", "/books/OL1M"],
    ["/type/work", "/works/OL1W"],
    ["/type/author", "/authors/OL1A"],
    ["/type/list", "/lists/OL1L", "/people/jane/lists/OL1L"],
    ["/type/series", "/series/OL1L"],
    ["/type/tag", "/tags/OL1T"],
    ["/type/publisher", "/publishers/OL1P"],
    ["/type/language", "/languages/eng"],
    ["/type/user", "/people/jane"],
    ["/type/usergroup", "/people/jane/usergroup", "/usergroup/admin"],
    ["/type/permission", "/people/jane/permission", "/permission/open"],
    ["/type/type", "/type/work", "/type/local_id"],
    ["/type/library", "/libraries/leiden"],
    ["/type/local_id", "/local_ids/trent"],
    ["/type/rawtext", "/css/site.css", "/js/a/b.js"],
    [
      "/type/object",
      "/config/edition",
      "/admin/stats/2026-08-25",
      "/admin/block",
      "/people/jane/preferences",
    ],
  ];
  const cases = HOMES.flatMap(([type, ...keys]) => keys.map((key) => [key, type] as const));

  it.each(cases)("matches %s with %s only", (key, type) => {
    for (const [other] of HOMES) expect(keyMatchesType(key, other), other).toBe(other === type);
    expect(keyMatchesType(key, "/type/page")).toBe(false);
  });

  it.each([
    ["/foo", "/type/work"],
    ["/works/OL1M", "/type/work"],
    ["/books/OL1W", "/type/work"],
    ["/works/ol1w", "/type/work"],
    ["/works/OL1W/x", "/type/work"],
    ["/x/works/OL1W", "/type/work"],
    ["/works/XX1W", "/type/work"],
    ["/people/a/b/lists/OL1L", "/type/list"],
    ["/languages/en", "/type/language"],
    ["/languages/engl", "/type/language"],
    ["/languages/ENG", "/type/language"],
    ["/people/", "/type/user"],
    ["/type/a-b", "/type/type"],
    ["/config/a/b", "/type/object"],
    ["about", "/type/page"],
    ["about", "/type/delete"],
  ])("refuses %s for %s", (key, type) => expect(keyMatchesType(key, type)).toBe(false));

  it.each(["/", "/about", "/help/faq"])("allows %s for pages and types without a pattern", (key) => {
    for (const type of ["/type/page", "/type/template", "/type/home"]) {
      expect(keyMatchesType(key, type), type).toBe(true);
    }
  });

  it.each(["/works/OL1W", "/about", "/people/jane"])("allows deletion and redirect of %s", (key) => {
    expect(keyMatchesType(key, "/type/delete")).toBe(true);
    expect(keyMatchesType(key, "/type/redirect")).toBe(true);
  });

  it("uses the prefix", () => {
    expect(keyMatchesType("/works/XX1W", "/type/work", "XX")).toBe(true);
    expect(keyMatchesType("/works/OL1W", "/type/work", "XX")).toBe(false);
    expect(keyMatchesType("/works/OL1W", "/type/page", "XX")).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { canonicalSearchAddress } from "../../../src/worker/search/search-page.ts";
import { canonicalSubjectKey } from "../../../src/worker/search/subject-page.ts";

const settled = (query: string): string | undefined => canonicalSearchAddress(new URLSearchParams(query));

describe("canonicalSearchAddress", () => {
  it.each([
    ["q=dune", undefined],
    ["", undefined],
    ["q=dune&language=eng&language=fre&sort=new&unknown=1", undefined],
    ["q=%20dune", "/search?q=dune"],
    ["language=&language=eng", "/search?language=eng"],
    ["author=a&authors=b", "/search?author=a&author=b"],
    ["q2=in&q=dune", "/search?q=in+dune"],
    ["q2=in", "/search?q=in"],
    ["q=a&q=b&q2=c", "/search?q=c+b"],
    ["q=a&search-fulltext=", "/search?q=a"],
    ["q=a&q=b&search-fulltext=1&title=x", "/search/inside?q=b"],
    ["q=e%CC%81&title=a%2Bb%26c", "/search?q=%C3%A9&title=a%2Bb%26c"],
  ])("%s", (query, expected) => {
    expect(settled(query)).toBe(expected);
  });

  it("is stable after one redirect", () => {
    const odd = ["\u00a0x\u00a0", `e${"\u0301".repeat(50)}`, "\ud800x", "x\ufeff", "q2 q2"];
    for (const text of odd) {
      const first =
        canonicalSearchAddress(new URLSearchParams({ q: ` ${text}`, authors: text, q2: text })) ?? "";
      expect(first).toMatch(/^\/search\?/);
      expect(settled(first.split("?")[1] ?? "")).toBeUndefined();
    }
  });
});

describe("canonicalSubjectKey", () => {
  it.each([
    ["love", "love"],
    ["Love", "love"],
    ["people/Mark_Twain", "person:mark_twain"],
    ["Places/a/b", "place:a/b"],
    ["times/", "time:"],
    ["people", "people"],
    ["person:x", "person:x"],
    ["things/x", "things/x"],
  ])("%s: %s", (key, expected) => {
    expect(canonicalSubjectKey(key)).toBe(expected);
    expect(canonicalSubjectKey(expected)).toBe(expected);
  });
});

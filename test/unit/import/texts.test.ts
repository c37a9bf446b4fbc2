import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/catalog/record.ts";
import { decodeText, splitSubtitle } from "../../../src/import/records/normalize.ts";
import { publicationYear } from "../../../src/import/record.ts";

describe("publicationYear", () => {
  it.each<[Json, number | undefined]>([
    ["1999", 1999],
    ["March 3, 1999", 1999],
    ["1999-03-02", 1999],
    ["3/2/1999", 1999],
    ["1998 or 1999", 1998],
    ["c1999", 1999],
    ["©1999", 1999],
    ["1999年", 1999],
    ["[1999?]", 1999],
    ["1998_1999", 1998],
    ["199u", 1990],
    ["19999", undefined],
    ["8858", 8858],
    ["", undefined],
    [1999, 1999],
    [1999.5, 1999],
    [["1999"], undefined],
    [null, undefined],
  ])("%j: %j", (date, year) => expect(publicationYear(date)).toBe(year));
});

describe("splitSubtitle", () => {
  it.each<[string, string, string | undefined]>([
    ["Tides", "Tides", undefined],
    ["Tides: a history", "Tides", "a history"],
    ["Tides : moon : a history", "Tides : moon", "a history"],
    ["Tides (vol. 1: spring): a history", "Tides", "a history"],
    ["Tides (vol. (1): spring) : d", "Tides", "d"],
    ["Tides (first: draft", "Tides (first", "draft"],
    ["Tides ((a) b: c", "Tides ( b", "c"],
    ["Tides) (a: b): c", "Tides)", "c"],
    ["Tides:", "Tides", ""],
  ])("%j: %j and %j", (full, title, subtitle) => {
    const [main, rest] = splitSubtitle(full);
    expect([main, rest]).toEqual([title, subtitle]);
  });
});

describe("decodeText", () => {
  it.each([
    ["Salt &amp; pepper", "Salt &amp; pepper"],
    ["Caf&#233; &amp; bar", "Café & bar"],
    ["Caf&#xE9; &lt;1&gt;", "Café <1>"],
    ["&#; &#x; &amp;", "&#; &#x; &amp;"],
    ["&#12345678; &amp;", "&#12345678; &amp;"],
    ["&#65 &eacute;", "&#65 &eacute;"],
    ["&#x41B;&hellip;&Omega;&thorn;&euro;", "Л…Ωþ€"],
    ["&#38;lt;", "&lt;"],
    ["&#65;&unknown;&amp", "A&unknown;&"],
    ["&#65;&NotEqualTilde;&notit;&copy2024", "A\u2242\u0338¬it;©2024"],
    ["&#150;&#x85;", "–…"],
    ["&#0;&#xD800;", "\uFFFD\uFFFD"],
    ["&#999999;", "\u{F423F}"],
    ["&#65;&constructor;&__proto__;", "A&constructor;&__proto__;"],
    ["&#xZ;", "&#xZ;"],
    ["&#X41;", "&#X41;"],
  ])("%j: %j", (text, decoded) => expect(decodeText(text)).toBe(decoded));
});

import { describe, expect, it } from "vitest";
import {
  decodeToken,
  exactTitleTokenOf,
  fieldCodeOf,
  toFilterToken,
  languageAccessTokenOf,
  presenceTokenOf,
  yearTokensOf,
} from "../../../../src/search/indexing/filter-token.ts";

/** Bytes that the index keeps inside a token: `ascii tokenchars '=_.+#'`. */
const KEPT = /^[a-z0-9=_.+#\u0080-\u{10ffff}]+$/u;

describe("toFilterToken", () => {
  it.each([
    ["l", "eng", "l=eng"],
    ["ak", "OL1A", "ak=_4f_4c1_41"],
    ["sf", "Science Fiction", "sf=_53cience_20_46iction"],
    ["sf", "Récits, 村上", "sf=_52écits_2c_20村上"],
    ["sf", "a_b", "sf=a_5fb"],
    ["k", "/works/OL1W", "k=_2fworks_2f_4f_4c1_57"],
    ["l", "", "l="],
    ["sf", "\0\n\"~'", "sf=_00_0a_22_7e_27"],
  ])("%s %j", (code, value, token) => {
    expect(toFilterToken(code, value)).toBe(token);
    expect(toFilterToken(code, value)).toMatch(KEPT);
    expect(decodeToken(token)).toEqual({ code, value });
  });

  it("keeps prefixes", () => {
    expect(toFilterToken("sf", "Children's fiction").startsWith(toFilterToken("sf", "Children'"))).toBe(true);
  });

  it("truncates long values equally in documents and queries", () => {
    expect(toFilterToken("sf", "X".repeat(5000))).toHaveLength(2000);
    expect(toFilterToken("sf", `${"X".repeat(5000)}1`)).toBe(toFilterToken("sf", `${"X".repeat(5000)}2`));
  });
});

describe("codes", () => {
  it.each([
    ["language", "l"],
    ["place_key", "lk"],
    ["person_key", "pk"],
    ["id_goodreads", "x.goodreads"],
    ["id_hathi_trust", "x.hathi_5ftrust"],
    ["title", undefined],
  ])("%s", (field, code) => {
    expect(fieldCodeOf(field)).toBe(code);
  });
});

describe("yearTokensOf", () => {
  it.each([
    [1999, ["y=1999", "yd=199", "yc=19"]],
    [987, ["y=987", "yd=98", "yc=9"]],
    [0, ["y=0", "yd=0", "yc=0"]],
    [2999, ["y=2999", "yd=299", "yc=29"]],
    [3000, []],
    [-399, ["y=_2d399", "yd=_2d40", "yc=_2d4"]],
    [-3001, []],
    [1.5, []],
  ])("%d", (year, tokens) => {
    expect(yearTokensOf("y", year)).toEqual(tokens);
  });
});

describe("exactTitleTokenOf", () => {
  it.each([
    ["The Hobbit!", "t=the_hobbit"],
    ["Récits de l'été", "t=recits_de_l_ete"],
    ["村上", "t=村_上"],
    ["...", undefined],
    ["", undefined],
  ])("%s", (title, token) => {
    expect(exactTitleTokenOf(title)).toBe(token);
  });

  it("is cut at 60 characters", () => {
    expect(exactTitleTokenOf("word ".repeat(50))).toHaveLength("t=".length + 60);
  });
});

it("presenceTokenOf is shared by related fields", () => {
  expect(presenceTokenOf("subject_key")).toBe(presenceTokenOf("subject"));
  expect(presenceTokenOf("edition_count")).toBe("ea=0");
  expect(presenceTokenOf("id_goodreads")).toBe("h=id_5fgoodreads");
});

it("languageAccessTokenOf combines language and access of one edition", () => {
  expect(languageAccessTokenOf("eng", 3)).toBe("le=eng.3");
});

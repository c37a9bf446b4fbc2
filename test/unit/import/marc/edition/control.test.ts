import { describe, expect, it } from "vitest";
import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import type { ImportWarning } from "../../../../../src/import/warning.ts";
import { coded, edition, marc } from "./marc-lines.ts";

describe("the coded field 008", () => {
  it("gives date, country and language", () => {
    expect(edition(coded())).toEqual({ publish_date: "2001", publish_country: "nyu", languages: ["eng"] });
  });

  it.each([
    ["19uu", "19uu"],
    ["1uuu", "1uuu"],
    ["2020", "2020"],
    ["2029", "1828"],
    ["0019", "1828"],
    ["9998", "1828"],
    ["uuuu", "1828"],
    ["0000", "1828"],
    ["9999", "1828"],
    ["    ", "1828"],
    ["19u5", "1828"],
    ["187 ", "1828"],
  ])("Q310: the year %j makes the date %j", (year, date) => {
    const record = marc("245 10‡aT", coded({ 7: year }), "260   ‡c1828.");
    expect(editionOfMarc(record, [], 2028)["publish_date"]).toBe(date);
  });

  it("takes the printed date of a reprint if its years are swapped", () => {
    const swapped = coded({ 6: "r19552001" });
    expect(edition(swapped, "260   ‡c2001.")["publish_date"]).toBe("2001");
    expect(edition(swapped)["publish_date"]).toBe("1955");
    expect(edition(coded({ 6: "r20011955" }), "260   ‡c[1955]")["publish_date"]).toBe("2001");
  });

  it("Q311: takes the copyright year unchanged", () => {
    expect(edition(coded({ 6: "t20012000" }))["copyright_date"]).toBe("2000");
    expect(edition(coded({ 6: "t2001    " }))["copyright_date"]).toBe("    ");
    expect(edition(coded({ 6: "s20012000" }))).not.toHaveProperty("copyright_date");
    expect(edition("008 010203t2001")).not.toHaveProperty("copyright_date");
  });

  it.each([
    ["ja ", "ja"],
    ["|||", undefined],
    ["???", undefined],
    ["   ", undefined],
    ["\u0001\u0001\u0001", undefined],
    [" \t ", undefined],
  ])("the country %j is %j", (text, country) => {
    expect(edition(coded({ 15: text }))["publish_country"]).toBe(country);
  });

  it("keeps its positions after invalid bytes", () => {
    expect(edition(`008 \uFFFD${coded().slice(5)}`)["publish_date"]).toBe("2001");
    expect(edition(coded({ 15: "ja\uFFFD" }))["publish_country"]).toBe("ja");
  });

  it("may be short or missing", () => {
    expect(edition("008 ")).toEqual({});
    expect(edition("008 010203s2001")).toEqual({ publish_date: "2001" });
    expect(edition("041 0 ‡aita", "260   ‡cn.d.")).toEqual({ languages: ["ita"], publish_date: "[n.d.]" });
  });

  it.each([
    ["[1865]", "1865"],
    ["S.D.", "[n.d.]"],
    ["[n.d.]", "[n.d.]"],
    ["[]", undefined],
    [" ", undefined],
    [" [1865] ", "1865"],
    ["c1999, 2001.", "c1999, 2001"],
  ])("the printed date %j is %j", (text, date) => {
    expect(edition(`260   ‡c${text}`)["publish_date"]).toBe(date);
  });

  it.each([
    ["2010", [], "2010", []],
    ["2010", ["005 20010203040506.7"], "2010", []],
    ["2010", ["260   ‡c2010, c2009."], "2010", []],
    ["2010", ["260   ‡c1998."], "2010", []],
    ["2089", ["260   ‡c1998."], "1998", ["2089"]],
    ["2089", [], undefined, ["2089"]],
    ["19u5", ["264  1‡c[1995]"], "1995", ["19u5"]],
    ["uuuu", [], undefined, []],
    ["9999", [], undefined, []],
    ["||||", [], undefined, []],
  ])("lets only an impossible year give way, with a warning: %s, %j", (year, lines, date, dropped) => {
    const warnings: ImportWarning[] = [];
    const record = marc("245 10‡aT", coded({ 7: year }), ...lines);
    expect(editionOfMarc(record, warnings, 2028)["publish_date"]).toBe(date);
    expect(warnings.map(({ field, code, value }) => [field, code, value])).toEqual(
      dropped.map((value) => ["008", "invalid-date", value]),
    );
  });

  it.each([
    [["260   ‡aOslo", "260   ‡c1900‡c1901", "264  1‡c2001"], "1900"],
    [["264  1‡aOslo‡c[2001]"], "2001"],
    [["264  4‡c©2000", "264  3‡c2003", "264  2‡c2002", "264  1‡c2001."], "2001"],
    [["264  4‡c©2000", "264  2‡c2002"], "2002"],
    [["264  3‡c2003", "264  4‡c©2000"], "©2000"],
    [["260   ‡aOslo", "264  0‡c1999"], "1999"],
  ])("Q312: takes the first date of 260, else of 264 by kind: %j", (lines, date) => {
    expect(edition(...lines)["publish_date"]).toBe(date);
  });
});

describe("languages", () => {
  it.each(["   ", "###", "|||", "???", "zxx", "n/a", "ZXX"])("has no language for %j", (text) => {
    expect(edition(coded({ 35: text }))).not.toHaveProperty("languages");
  });

  it("splits joined codes and skips duplicates", () => {
    expect(edition(coded(), "041 1 ‡aengFRE‡a ger-spa‡aen‡azxx")["languages"]).toEqual([
      "eng",
      "fre",
      "ger",
      "spa",
    ]);
  });

  it("ignores codes of another list", () => {
    expect(edition("041  7‡aabc‡hger‡2iso639-3")).toEqual({ translated_from: ["ger"] });
  });

  // Q650
  it.each([
    [coded({ 35: "deu" }), "041 0 ‡azho‡anld‡aces", ["ger", "chi", "dut", "cze"]],
    [coded({ 35: "iw " }), "041 0 ‡ash‡aji‡acam", ["heb", "srp", "yid", "khm"]],
    [coded({ 35: "   " }), "041 07‡ade‡azh‡2iso639-1", ["ger", "chi"]],
    [coded({ 35: "   " }), "041 07‡aen-US‡2rfc5646", ["eng"]],
  ])("has MARC codes for codes of ISO 639", (fixed, field, languages) => {
    expect(edition(fixed, field)["languages"]).toEqual(languages);
  });

  it("replaces withdrawn codes last", () => {
    expect(edition(coded({ 35: "scr" }), "041   ‡ascc‡ascr‡ahrv")["languages"]).toEqual([
      "hrv",
      "srp",
      "hrv",
    ]);
    expect(edition(coded({ 35: "FR " }))["languages"]).toEqual(["fre"]);
  });

  it("has every source language of a translation", () => {
    expect(edition("041 1 ‡hger‡hSCC‡hzxx‡hrusger‡hger")["translated_from"]).toEqual(["ger", "srp", "ger"]);
  });

  it("reads a hundred thousand codes of one field", () => {
    expect(edition(`041   ‡a${"abcdef".repeat(100_000)}`)["languages"]).toEqual(["abc", "def"]);
  });
});

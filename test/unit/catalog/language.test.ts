import { describe, expect, it } from "vitest";
import { marcCodeOf, marcLanguageOf } from "../../../src/catalog/language.ts";

describe("marcLanguageOf", () => {
  it.each([
    ["en", "eng"],
    ["de", "ger"],
    ["fr", "fre"],
    ["zh", "chi"],
    ["zu", "zul"],
    ["xx", "eng"],
    ["", "eng"],
  ])("%s: %s", (iso, marc) => {
    expect(marcLanguageOf(iso)).toBe(marc);
  });
});

describe("marcCodeOf", () => {
  it.each([
    ["ger", "ger"],
    ["deu", "ger"],
    ["zho", "chi"],
    ["nld", "dut"],
    ["ces", "cze"],
    ["FRA", "fre"],
    ["cmn", "chi"],
    ["de", "ger"],
    ["en-US", "eng"],
    ["zh-Hans", "chi"],
    ["pt_BR", "por"],
    ["German", "ger"],
    [" Deutsch ", "ger"],
    ["/languages/ger", "ger"],
    ["allemand", "ger"],
    ["FRANÇAIS", "fre"],
    ["espanol", "spa"],
    ["中文", "chi"],
    ["العربية", "ara"],
    ["Haitian Creole", "hat"],
    ["iw", "heb"],
    ["IW-IL", "heb"],
    ["in", "ind"],
    ["ji", "yid"],
    ["jw", "jav"],
    ["mo", "rum"],
    ["sh", "srp"],
    ["sh-Cyrl", "srp"],
    ["scr", "hrv"],
    ["cam", "khm"],
    ["esp", "epo"],
    // A code of three letters may be one that has no record yet.
    ["xyz", "xyz"],
  ])("%s: %s", (text, code) => expect(marcCodeOf(text)).toBe(code));

  it.each(["", "xx", "Klingonisch", "German English", "e", "12"])("%j: no language", (text) => {
    expect(marcCodeOf(text)).toBeUndefined();
  });
});

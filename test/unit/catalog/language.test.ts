import { describe, expect, it } from "vitest";
import { marcLanguageOf } from "../../../src/catalog/language.ts";

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

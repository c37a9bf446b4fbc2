import { describe, expect, it } from "vitest";
import { marcLanguage } from "../../../src/catalog/language.ts";

describe("marcLanguage", () => {
  it.each([
    ["en", "eng"],
    ["de", "ger"],
    ["fr", "fre"],
    ["zh", "chi"],
    ["zu", "zul"],
    ["xx", "eng"],
    ["", "eng"],
  ])("%s: %s", (iso, marc) => {
    expect(marcLanguage(iso)).toBe(marc);
  });
});

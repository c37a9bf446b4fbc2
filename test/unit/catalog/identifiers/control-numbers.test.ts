import { describe, expect, it } from "vitest";
import {
  lccnSpellingsOf,
  oclcSpellingsOf,
  toLookupLccn,
  normalizeLccn,
  normalizeOclc,
} from "../../../../src/catalog/identifiers/edition-identifiers.ts";

/** Input, and what it is looked up by. */
const VECTORS: [input: string, normal: string][] = [
  ["94200274", "94200274"],
  ["agr 62-298 Revised", "agr62000298"],
  ["96-39190", "96039190"],
  ["75-425165//r75", "75425165"],
  ["agr 62000298", "agr62000298"],
  [" 79139101 /AC/r932", "79139101"],
  ["n78-89035", "n78089035"],
  ["87-20335/AC/MN", "87020335"],
  ["n 78890351 ", "n78890351"],
  ["sa 64009056", "sa64009056"],
  ["85-2 ", "85000002"],
  ["nb2001-000012", "nb2001000012"],
  ["2001-000002", "2001000002"],
  ["unk84032334", "unk84032334"],
  ["-85000002-", "85000002"],
  ["SA64009056", "sa64009056"],
  ["sa64-9056", "sa64009056"],
  ["８５–２", "85000002"],
];
const INVALID = [
  "",
  "abc",
  "a-123",
  "1234567",
  "123456789",
  "12345678901",
  "97-1234567",
  "75-425165--2",
  "rev 23",
  "rev12345678",
  "-",
  "---",
  "/12345678",
];

describe("normalizeLccn", () => {
  it.each(VECTORS)("%j: %s", (input, normal) => expect(normalizeLccn(input)).toBe(normal));
  it.each(INVALID)("refuses %j", (input) => expect(normalizeLccn(input)).toBeUndefined());

  it("takes linear time", () => {
    expect(normalizeLccn(`a${"-".repeat(1_000_000)}b`)).toBeUndefined();
  });
});

describe("toLookupLccn", () => {
  it.each(VECTORS)("%j: %s", (input, normal) => expect(toLookupLccn(input)).toBe(normal));

  it.each([
    [" AbC 12 ", "abc12"],
    ["75-425165--2", "75-425165--2"],
    ["", undefined],
    ["  ", undefined],
  ])("keeps %j, which has no normal form: %s", (input, value) => expect(toLookupLccn(input)).toBe(value));
});

describe("normalizeOclc", () => {
  it.each([
    ["00012345", "12345"],
    ["ocm00081058130", "81058130"],
    ["(OCoLC)263296519", "263296519"],
    ["ocn316034079", "316034079"],
    ["on1012345678", "1012345678"],
    ["12345", "12345"],
    [" 12345 ", "12345"],
    ["OCM00012345", "12345"],
    ["(ocolc) 12345", "12345"],
    ["(OCoLC)ocm00012345", "12345"],
    ["12345a", "12345a"],
    [" ocx12345 ", "ocx12345"],
    ["000", "000"],
    ["on", "on"],
    ["１２", "１２"],
  ])("%j: %s", (input, value) => expect(normalizeOclc(input)).toBe(value));

  it.each(["", "  "])("returns undefined for %j", (input) => expect(normalizeOclc(input)).toBeUndefined());

  it("is idempotent", () => {
    for (const input of ["00012345", "(OCoLC)263296519", "12345a"]) {
      const once = normalizeOclc(input)!;
      expect(normalizeOclc(once)).toBe(once);
    }
  });
});

describe("spellings of a number", () => {
  it.each([
    ["62000298", ["62000298", "62-298", "62-000298"]],
    ["agr 62-298", ["agr62000298", "agr62-298", "agr62-000298"]],
    ["2001-627090", ["2001627090", "2001-627090", "2001-627090"]],
    ["OL1M", []],
  ])("LCCN %s", (text, spellings) => expect(lccnSpellingsOf(text)).toEqual(spellings));

  it.each([
    ["12345", ["12345", "00012345", "ocm12345", "ocm00012345", "(OCoLC)12345"]],
    ["ocm 12345678", ["12345678", "ocm12345678", "(OCoLC)12345678"]],
    ["(OCoLC)ocn123456789", ["123456789", "ocm123456789", "ocn123456789", "(OCoLC)123456789"]],
    ["on1234567890", ["1234567890", "ocm1234567890", "on1234567890", "(OCoLC)1234567890"]],
    ["TGPSM11-B2267", []],
  ])("OCLC number %s", (text, spellings) => expect(oclcSpellingsOf(text)).toEqual(spellings));
});

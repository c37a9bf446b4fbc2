import { describe, expect, it } from "vitest";
import {
  asinOf,
  bothIsbnsOf,
  toCanonicalIsbn,
  convertIsbn10,
  isbn13to10,
  parseIsbn,
  toOppositeIsbn,
  toIsbn10,
  toIsbn13,
} from "../../../../src/catalog/identifiers/isbn.ts";
import { pick, randomStream } from "../random.ts";

/** Input, canonical form, as ISBN-13, as ISBN-10. */
const VECTORS: [
  input: string,
  canonical: string | undefined,
  isbn13: string | undefined,
  isbn10: string | undefined,
][] = [
  ["1841151866", "1841151866", "9781841151861", "1841151866"],
  ["184-115-1866", "1841151866", "9781841151861", "1841151866"],
  ["184115186x", "184115186X", undefined, "184115186X"],
  ["ISBN: 123-456-789-X ", "123456789X", "9781234567897", "123456789X"],
  ["ISBN 978-0-940787-08-7", "9780940787087", "9780940787087", "0940787083"],
  [" 0 94078 708 3 ", "0940787083", "9780940787087", "0940787083"],
  ["0451526538", "0451526538", "9780451526533", "0451526538"],
  ["9780804429573", "9780804429573", "9780804429573", "080442957X"],
  ["059035342X", "059035342X", "9780590353427", "059035342X"],
  ["0590353427", "0590353427", undefined, "0590353427"],
  ["9780590353420", "9780590353420", "9780590353420", undefined],
  ["9798776159572", "9798776159572", "9798776159572", undefined],
  ["9791032310014", "9791032310014", "9791032310014", undefined],
  ["0590353427 (pbk.)", "0590353427", undefined, "0590353427"],
  ["0590353427 (pbk. : v. 1)", undefined, undefined, undefined],
  ["９７８０９４０７８７０８７", "9780940787087", "9780940787087", "0940787083"],
  ["ISBN-13: 978‑0–940787−08—7.", "9780940787087", "9780940787087", "0940787083"],
  ["SBN 940787-08-3", "0940787083", "9780940787087", "0940787083"],
];

/** Empty values of the table, and similar ones. */
const INVALID = [
  "56",
  "",
  "a",
  "0000000000",
  "0000000000000",
  "000000000X",
  "000000000x",
  "X123456789",
  "12345X7890",
  "978094078708X",
  "0x90353427",
  "x590353427",
  "978094078708",
  "97809407870870",
  "12345678Xx",
  "123456789XX",
];

describe("parseIsbn", () => {
  it.each([
    "9780940787087",
    "978-0-940787-08-7",
    "978‐0‑940787‒08–7",
    "978—0―940787−08 7",
    "urn:isbn:9780940787087",
    "URN:ISBN:978-0-940787-08-7",
    "ISBN-13: 978-0-940787-08-7",
    "ISBN‐13：978-0-940787-08-7",
    "ISBN 13 9780940787087",
    "ISBN: 9780940787087",
    "eISBN 9780940787087",
    "9780940787087.",
    "(9780940787087),",
    "“978 0 940787 08 7”",
    "\u200e978-0940787087",
    "９７８-０９４０７８７０８７",
  ])("%j", (text) => expect(parseIsbn(text)).toBe("9780940787087"));

  it.each([
    ["940787083", "0940787083"],
    ["94078-708-3", "0940787083"],
    ["SBN 94078 708 3", "0940787083"],
    ["ISBN-10: 0-940787-08-3", "0940787083"],
    ["080442957x", "080442957X"],
    ["0940787080", "0940787080"],
  ])("%j: %s", (text, isbn) => expect(parseIsbn(text)).toBe(isbn));

  it.each([
    "",
    "isbn",
    "940787080",
    "1984 1985 20",
    "9780940787087 potter",
    "0940787083 (pbk.)",
    "1776",
    `${"9".repeat(9)}${" ".repeat(1_000_000)}9`,
  ])("%#: no ISBN", (text) => expect(parseIsbn(text)).toBeUndefined());
});

describe("toCanonicalIsbn", () => {
  it.each(VECTORS)("%j: %s", (input, canonical) => expect(toCanonicalIsbn(input)).toBe(canonical));
  it.each(INVALID)("refuses %j", (input) => expect(toCanonicalIsbn(input)).toBeUndefined());

  it("is idempotent", () => {
    for (const [, canonical] of VECTORS) {
      if (canonical !== undefined) expect(toCanonicalIsbn(canonical)).toBe(canonical);
    }
  });
});

describe("toIsbn13 and toIsbn10", () => {
  it.each(VECTORS)("%j", (input, _canonical, isbn13, isbn10) => {
    expect(toIsbn13(input)).toBe(isbn13);
    expect(toIsbn10(input)).toBe(isbn10);
    expect(bothIsbnsOf(input)).toEqual([isbn10, isbn13]);
  });

  it.each(INVALID)("have no value for %j", (input) =>
    expect(bothIsbnsOf(input)).toEqual([undefined, undefined]),
  );
});

describe("conversions", () => {
  it.each(VECTORS)("of %j to the other length", (input, canonical, isbn13, isbn10) => {
    const other = canonical?.length === 10 ? isbn13 : isbn10;
    expect(toOppositeIsbn(input)).toBe(other);
    expect(convertIsbn10(input)).toBe(canonical?.length === 10 ? isbn13 : undefined);
    expect(isbn13to10(input)).toBe(canonical?.length === 13 ? isbn10 : undefined);
  });

  it("never shorten a 979 number", () => {
    for (const isbn of ["9791032310014", "9798776159572"]) {
      expect(isbn13to10(isbn)).toBeUndefined();
      expect(toOppositeIsbn(isbn)).toBeUndefined();
    }
  });

  it("round-trip for exactly the valid check digit", () => {
    const random = randomStream(10);
    for (let round = 0; round < 300; round += 1) {
      const body = Array.from({ length: 9 }, () => pick(random, [..."0123456789"])).join("");
      const valid = [..."0123456789X"]
        .map((check) => body + check)
        .filter((isbn) => convertIsbn10(isbn) !== undefined);
      // One check digit in eleven is right; for the placeholder number none is.
      expect(valid).toHaveLength(body === "000000000" ? 0 : 1);
      for (const isbn10 of valid) {
        const isbn13 = convertIsbn10(isbn10)!;
        expect(isbn13).toMatch(/^978\d{10}$/);
        expect(isbn13to10(isbn13)).toBe(isbn10);
        expect(weightedSum(isbn13) % 10).toBe(0);
        expect(isbn13to10(isbn13.slice(0, 12) + ((Number(isbn13[12]) + 1) % 10))).toBeUndefined();
        expect(bothIsbnsOf(isbn10)).toEqual(bothIsbnsOf(isbn13));
        expect(toCanonicalIsbn(` ISBN-13: ${[...isbn13].join("-")} (v.)`)).not.toBe(isbn13);
        expect(toCanonicalIsbn(` ISBN: ${[...isbn13].join("-")} (pbk.)`)).toBe(isbn13);
      }
    }
  });
});

function weightedSum(isbn13: string): number {
  return [...isbn13].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
}

describe("asinOf", () => {
  it.each([
    ["B00ABCDEFG", "B00ABCDEFG"],
    ["b00abcdefg", "B00ABCDEFG"],
    ["B00ABCDEF", undefined],
    ["B00ABCDEFGH", undefined],
    ["A00ABCDEFG", undefined],
    ["0590353427", undefined],
    ["", undefined],
  ])("%s: %s", (text, asin) => expect(asinOf(text)).toBe(asin));
});

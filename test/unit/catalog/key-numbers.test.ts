import { describe, expect, it } from "vitest";
import { idOfKey, idRangeOf } from "../../../src/catalog/key-numbers.ts";

describe("idOfKey", () => {
  it.each([
    ["/authors/OL1A", "A", 1],
    ["/books/OL7353617M", "M", 7353617],
    ["/works/OL0W", "W", 0],
    ["/works/OL1099511627775W", "W", 2 ** 40 - 1],
  ] as const)("maps %s into the range of its kind", (key, letter, number) => {
    const { from, to } = idRangeOf(letter);
    expect(idOfKey(key, "OL")).toBe(from + number);
    expect(from + number).toBeLessThan(to);
  });

  it.each([
    "/works/OL1M",
    "/works/OL01W",
    "/works/OL1099511627776W",
    "/works/XX1W",
    "/works/OL1W/",
    "/works/OLW",
    "/people/OL1A",
    "/series/OL1L",
    "/works",
    "",
  ])("returns undefined for %j", (key) => expect(idOfKey(key, "OL")).toBeUndefined());

  it("accepts another prefix", () => expect(idOfKey("/works/XX5W", "XX")).toBe(idRangeOf("W").from + 5));
});

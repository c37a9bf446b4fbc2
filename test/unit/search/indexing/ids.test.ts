import { describe, expect, it } from "vitest";
import { lastSegmentOf } from "../../../../src/catalog/keys.ts";
import {
  authorIdOfKey,
  editionIdOfKey,
  editionRowId,
  keyOfAuthorId,
  keyOfEditionId,
  keyOfWorkId,
  randomOf,
  workIdOfKey,
} from "../../../../src/search/indexing/ids.ts";

describe("workIdOfKey", () => {
  it.each([
    ["/works/OL1W", 1],
    ["/works/OL82563W", 82_563],
    ["/works/OL12M", -12],
    ["/works/OL0M", undefined],
    ["/works/OL12A", undefined],
    ["/works/ia:foo", undefined],
    ["/works/XX1W", undefined],
    ["/works/OL01W", undefined],
    ["/books/OL1M", undefined],
    ["/authors/OL1A", undefined],
    ["", undefined],
  ])("%s", (key, id) => {
    expect(workIdOfKey(key, "OL")).toBe(id);
    if (id !== undefined) expect(keyOfWorkId(id, "OL")).toBe(key);
  });
});

it("authors and editions are numbered by their keys", () => {
  expect(authorIdOfKey("/authors/OL7A", "OL")).toBe(7);
  expect(authorIdOfKey("/works/OL7W", "OL")).toBeUndefined();
  expect(keyOfAuthorId(7, "OL")).toBe("/authors/OL7A");
  expect(editionIdOfKey("/books/OL7M", "OL")).toBe(7);
  expect(keyOfEditionId(7, "OL")).toBe("/books/OL7M");
  expect(lastSegmentOf("/books/OL7M")).toBe("OL7M");
});

it("rows of editions are numbered by work and rank", () => {
  expect(editionRowId(5, 2)).toBe(5 * 8192 + 2);
  expect(editionRowId(-5, 8191)).toBe(-5 * 8192 + 8191);
  expect(editionRowId(5, 8192)).toBeUndefined();
});

it("random numbers are spread over 31 bits", () => {
  const numbers = Array.from({ length: 10_000 }, (_number, id) => randomOf(id + 1));
  expect(new Set(numbers).size).toBe(10_000);
  expect(numbers.every((number) => number >= 0 && number < 2 ** 31)).toBe(true);
  expect(numbers.filter((number) => number < 2 ** 30).length).toBeGreaterThan(4800);
  expect(numbers.filter((number) => number < 2 ** 30).length).toBeLessThan(5200);
});

import { expect, it } from "vitest";
import { CodeCounts, eachCode, packCode } from "../../../src/search/facets.ts";

it("codes of any length are decoded by column", () => {
  const found: number[][] = [];
  // 1, 32 = 1 * 32 + 0 and 1025 = 1 * 1024 + 0 * 32 + 1; then a column without a value.
  eachCode("1^0^]1!!2", (...code) => found.push(code));
  expect(found).toEqual([
    [1, 0],
    [32, 0],
    [1025, 0],
    [2, 2],
  ]);
});

it.each([1, 31, 32, 1023, 1024, 2 ** 20 - 1, 2 ** 20, 2 ** 25 + 33])(
  "the code %d is packed reversibly",
  (code) => {
    const found: number[] = [];
    eachCode(packCode(code) + packCode(7), (one) => found.push(one));
    expect(found).toEqual([code, 7]);
  },
);

it("codes of any size are counted", () => {
  const counts = new CodeCounts(2);
  for (const text of ["1!2", "1!3", "!", "^]]]0!2"]) counts.add(text);
  expect([0, 1].map((column) => counts.mostFrequent(column, 2).sure)).toEqual([
    [
      { code: 1, count: 2 },
      { code: 2 ** 20, count: 1 },
    ],
    [
      { code: 2, count: 2 },
      { code: 3, count: 1 },
    ],
  ]);
});

it.each([
  [5, [1, 2, 3, 4], [], 0],
  [4, [1, 2, 3, 4], [], 0],
  [3, [1], [2, 3, 4], 2],
  [2, [1], [2, 3, 4], 1],
  [1, [], [1], 1],
  [0, [], [1], 0],
])("codes with equal counts among the first %d stay undecided", (needed, sure, equal, missing) => {
  const counts = new CodeCounts(1);
  for (const text of [...Array<string>(9).fill("1"), ...Array<string>(4).fill("234")]) counts.add(text);
  const found = counts.mostFrequent(0, needed);
  expect(found.sure.map(({ code }) => code)).toEqual(sure);
  expect(found.equal.map(({ code }) => code)).toEqual(equal);
  expect(found.missing).toBe(missing);
});

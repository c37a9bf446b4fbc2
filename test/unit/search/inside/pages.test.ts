import { describe, expect, it } from "vitest";
import {
  PAGE_LENGTH_MAX,
  blockRangesOf,
  blocksOf,
  pagesOf,
  pagesOfBlock,
} from "../../../../src/search/inside/book-text.ts";

describe("pagesOf", () => {
  it.each([
    ["one", ["one"]],
    ["one\ftwo", ["one", "two"]],
    ["one\f\ftwo\f", ["one", "", "two"]],
    ["one\f \n", ["one"]],
    ["", []],
  ])("%j", (text, expected) => {
    expect(pagesOf(text)).toEqual(expected);
  });

  it("splits long pages at blanks without losing text", () => {
    const text = `${"some words and lines\n".repeat(2000)}\fshort\f${"x".repeat(25_000)}`;
    const pages = pagesOf(text);
    expect(pages.every((page) => page.length <= PAGE_LENGTH_MAX)).toBe(true);
    expect(pages.join("")).toBe(text.replaceAll("\f", ""));
    expect(pages.slice(0, 4).every((page) => /\s$/.test(page))).toBe(true);
    expect(pages.length).toBe(5 + 1 + 3);
  });

  it("takes linear time for long pages with few blanks", () => {
    const text = `a ${"x".repeat(2_000_000)}`;
    expect(pagesOf(text).join("")).toBe(text);
  });
});

describe("blocks", () => {
  const pages = Array.from({ length: 100 }, (_, place) => `${place}`.padEnd(1000, "x"));
  const blocks = blocksOf(pages);
  const offsets = [0, ...blocks.map((_, index) => (index + 1) * 10)];
  const map = { first: blocks.map(({ first }) => first), offsets };

  it("hold all pages in order", () => {
    expect(blocks.flatMap(({ first, text }) => pagesOfBlock(first, text))).toEqual([...pages.entries()]);
    expect(map.first).toEqual([0, 33, 66, 99]);
    expect(blocksOf([])).toEqual([]);
  });

  it("are found by page, once each", () => {
    expect(blockRangesOf(map, [0, 1, 40, 99])).toEqual([
      { first: 0, offset: 0, length: 10 },
      { first: 33, offset: 10, length: 10 },
      { first: 99, offset: 30, length: 10 },
    ]);
    expect(blockRangesOf({ first: [], offsets: [0] }, [3])).toEqual([]);
  });
});

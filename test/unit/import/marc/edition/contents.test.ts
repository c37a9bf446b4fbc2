import { describe, expect, it } from "vitest";
import { isObject } from "../../../../../src/catalog/record.ts";
import { edition } from "./marc-lines.ts";

function chapters(...lines: string[]): unknown {
  const contents = edition(...lines)["table_of_contents"];
  if (!Array.isArray(contents)) return contents;
  return contents.map((item) => {
    expect(item).toEqual({ title: expect.any(String), type: "/type/toc_item" });
    return isObject(item) && item["title"];
  });
}

describe("table of contents", () => {
  it("is split at dashes", () => {
    expect(chapters("505 0 ‡aOne -- Two / A. Uthor --Three. -- ", "505 0 ‡6x")).toEqual([
      "One",
      "Two / A. Uthor",
      "Three.",
    ]);
    expect(chapters("505 0 ‡6x")).toBeUndefined();
  });

  it("Q318: joins a title to the last entry otherwise", () => {
    expect(chapters("505 00‡gv. 1.‡tAlpha /‡rA. One --‡g- 2 -‡tBeta/‡rB. Two.‡9x")).toEqual([
      "v. 1.",
      "Alpha  -- A. One -- 2",
      "Beta-- B. Two.",
    ]);
  });

  const long = "x".repeat(2049);
  const [y, z] = ["y".repeat(1100), "z".repeat(1100)];
  it.each([
    ["by hyphens", `a - ${y} - ${z}`, ["a", y, z]],
    ["by semicolons", `a - b; ${y}; ${z}`, ["a - b", y, z]],
    ["by slashes", `a - ${y} / ${z}`, [`a - ${y}`, z]],
    ["at last not at all", `a - ${long}`, [`a - ${long}`]],
    ["all of it anew", `a -- ${y} - ${z}`, [`a -- ${y}`, z]],
  ])("is cut %s where a chapter is too long", (_how, text, titles) => {
    expect(chapters(`505 0 ‡a${text}`)).toEqual(titles);
  });

  it("counts characters, not code units", () => {
    const wide = "\u{20000}".repeat(2046);
    expect(chapters(`505 0 ‡a${wide}; b`)).toEqual([`${wide}; b`.slice(0, -3), "b"]);
    expect(chapters(`505 0 ‡a${wide.slice(2)}; b`)).toEqual([`${wide.slice(2)}; b`]);
  });

  it("splits a title that is too long", () => {
    expect(chapters(`505 0 ‡t/a -- ${long}/‡rB.`)).toEqual([`a-- ${long}-- B.`]);
  });
});

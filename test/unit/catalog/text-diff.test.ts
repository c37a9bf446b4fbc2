import { expect, it } from "vitest";
import { diffTexts } from "../../../src/catalog/compare.ts";

const shown = (before: string, after: string): string =>
  diffTexts(before, after)
    .map(({ text, kind }) => (kind === "same" ? text : kind === "before" ? `[-${text}]` : `[+${text}]`))
    .join("");

it.each([
  ["", "", ""],
  ["a b", "a b", "a b"],
  ["", "new", "[+new]"],
  ["The old cat", "The new cat", "The [-old][+new] cat"],
  ["one, two", "one two three", "one[-,] two[+ three]"],
  ["a b c d", "b c x d", "[-a ]b c[+ x] d"],
])("%j and %j", (before, after, difference) => {
  expect(shown(before, after)).toBe(difference);
});

it("contains both texts, however long", () => {
  const before = Array.from({ length: 3000 }, (_, at) => `word${at % 7}`).join(" ");
  const after = Array.from({ length: 3000 }, (_, at) => `word${at % 11}`).join(" ");
  const side = (kind: string) =>
    diffTexts(before, after)
      .filter((part) => part.kind === "same" || part.kind === kind)
      .map(({ text }) => text)
      .join("");
  expect([side("before"), side("after")]).toEqual([before, after]);
});

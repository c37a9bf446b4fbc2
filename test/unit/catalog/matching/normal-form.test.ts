import { expect, it } from "vitest";
import { MARKS_MAX, toNormalForm } from "../../../../src/catalog/matching/match-keys.ts";

it.each([
  ["", ""],
  ["Title", "Title"],
  ["é", "é"],
  ["e\u0301", "é"],
  ["\u1100\u1161", "가"],
])("%j becomes %j", (text, expected) => expect(toNormalForm(text, "NFC")).toBe(expected));

it("keeps 30 marks on a character, in order", () => {
  const marks = "\u0301\u0323";
  expect(toNormalForm(`x${marks.repeat(MARKS_MAX / 2)}y`, "NFC")).toBe(
    `x${marks.repeat(MARKS_MAX / 2)}y`.normalize("NFC"),
  );
  expect(toNormalForm(`x${marks.repeat(MARKS_MAX)}y${marks}`, "NFC")).toBe(
    `x${marks.repeat(MARKS_MAX / 2)}y${marks}`.normalize("NFC"),
  );
});

it("takes linear time", () => {
  // Bringing them all into order would take minutes.
  expect(toNormalForm(`x${"\u0301\u0323".repeat(500_000)}`, "NFC").length).toBeLessThanOrEqual(1 + MARKS_MAX);
});

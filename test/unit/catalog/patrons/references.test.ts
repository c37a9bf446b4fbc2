import { describe, expect, it } from "vitest";
import { awardProblems } from "../../../../src/catalog/patrons/activity.ts";
import { editionNumber, looseEditionNumber, workNumberOfKey } from "../../../../src/catalog/keys.ts";
import { SHELF_KEYS, shelfIdOf, shelfOfKey } from "../../../../src/catalog/patrons/shelves.ts";

describe("editions", () => {
  it.each([
    ["OL42M", 42],
    ["ol42m", 42],
    ["/books/OL42M", 42],
    ["/BOOKS/OL42M", 42],
    ["42", undefined],
    ["OL42W", undefined],
    ["/works/OL42M", undefined],
    ["XY42M", undefined],
    ["OL42M/x", undefined],
    ["OL0M", undefined],
    ["", undefined],
  ])("%s is %s", (text, number) => {
    expect(editionNumber(text)).toBe(number);
  });

  it("a bare number will do where it is said so", () => {
    expect([looseEditionNumber("42"), looseEditionNumber("OL42M"), looseEditionNumber("4.2")]).toEqual([
      42,
      42,
      undefined,
    ]);
    expect(editionNumber("XY42M", "XY")).toBe(42);
    expect(looseEditionNumber("0")).toBeUndefined();
  });
});

describe("works", () => {
  it.each([
    ["/works/OL7W", 7],
    ["/works/XY7W", 7],
    ["/books/OL7M", undefined],
    ["/works/OL7M", undefined],
    [7, undefined],
  ])("%s is %s", (key, number) => {
    expect(workNumberOfKey(key)).toBe(number);
  });
});

describe("shelves", () => {
  it("are known by their names in small letters, and by their numbers", () => {
    expect(SHELF_KEYS).toEqual(["want-to-read", "currently-reading", "already-read", "stopped-reading"]);
    expect(shelfOfKey("already-read")?.id).toBe(3);
    expect(shelfOfKey("Already-Read")).toBeUndefined();
    expect(["1", "4", "5", "0", "-1", "01", "", "1.0"].map(shelfIdOf)).toEqual([
      1,
      4,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});

describe("awards", () => {
  it("all that speaks against one is told", () => {
    expect(awardProblems({ hasTopic: true, isRead: true })).toBe("");
    const all = awardProblems({
      hasTopic: false,
      isRead: false,
      topicOfWork: "cats",
      workOfTopic: "/works/OL7W",
    });
    expect(all.split(". ")).toHaveLength(4);
    expect(all).toContain("cats");
    expect(all).toContain("/works/OL7W");
  });
});

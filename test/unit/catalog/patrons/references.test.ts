import { describe, expect, it } from "vitest";
import { describeAwardProblems } from "../../../../src/catalog/patrons/activity.ts";
import {
  parseEditionNumber,
  parseLooseEditionNumber,
  workNumberOfKey,
} from "../../../../src/catalog/keys.ts";

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
    expect(parseEditionNumber(text)).toBe(number);
  });

  it("accept a bare number in loose mode", () => {
    expect([
      parseLooseEditionNumber("42"),
      parseLooseEditionNumber("OL42M"),
      parseLooseEditionNumber("4.2"),
    ]).toEqual([42, 42, undefined]);
    expect(parseEditionNumber("XY42M", "XY")).toBe(42);
    expect(parseLooseEditionNumber("0")).toBeUndefined();
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

describe("describeAwardProblems", () => {
  it("reports all problems", () => {
    expect(describeAwardProblems({ hasTopic: true, isRead: true })).toBe("");
    const all = describeAwardProblems({
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

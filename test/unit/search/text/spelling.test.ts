import { describe, expect, it } from "vitest";
import {
  beginningCostOf,
  editDistance,
  listNearSkeletons,
  misspellingCostOf,
  skeletonOf,
} from "../../../../src/search/text/spelling.ts";

describe("editDistance", () => {
  it.each([
    ["hobbit", "hobbit", 0],
    ["hobbit", "hobit", 1],
    ["hobbit", "hobibt", 1],
    ["tolkein", "tolkien", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
    ["", "ab", 2],
    ["ab", "", 2],
    ["potter", "p", 4],
    ["abcdef", "uvwxyz", 4],
  ])("%s %s", (one, other, expected) => {
    expect(editDistance(one, other, 3)).toBe(expected);
    expect(editDistance(other, one, 3)).toBe(expected);
  });

  it("stops at the bound", () => {
    expect(editDistance("kitten", "sitting", 2)).toBe(3);
    expect(editDistance("a", "abcdefgh", 2)).toBe(3);
  });
});

describe("misspellingCostOf", () => {
  it.each([
    ["hobbit", "hobbit", 0],
    ["hobit", "hobbit", 0.3],
    ["hobibt", "hobbit", 0.3],
    ["luv", "lov", 0.5],
    ["luv", "love", 0.5],
    ["nite", "nit", 0.5],
    ["luv", "lion", Infinity],
    ["luv", "dove", Infinity],
  ])("%s for %s costs %d", (typed, term, cost) => expect(misspellingCostOf(typed, term)).toBe(cost));

  it.each([
    ["hobi", "hobbit", 0.3],
    ["frankinst", "frankenstein", 0.5],
    ["hobb", "hobbit", 0],
    ["xyz", "hobbit", Infinity],
  ])("%s for the beginning of %s costs %d", (typed, term, cost) =>
    expect(beginningCostOf(typed, term)).toBe(cost),
  );
});

describe("skeleton", () => {
  it.each([
    ["tolkein", "tolkien"],
    ["hobit", "hobbit"],
    ["hobibt", "hobbit"],
    ["philosofer", "philosopher"],
    ["filosopher", "philosopher"],
    ["shakspere", "shakespeare"],
    ["dickins", "dickens"],
    ["dikens", "dickens"],
    ["rythm", "rhythm"],
    ["brontë", "bronte"],
    ["analize", "analyse"],
    ["yliad", "iliad"],
  ])("%s is like %s", (wrong, right) => {
    expect(skeletonOf(wrong)).toBe(skeletonOf(right));
  });

  it.each([
    ["toklien", "tolkien"],
    ["tolien", "tolkien"],
    ["tolkrien", "tolkien"],
    ["hobnit", "hobbit"],
    ["gobbit", "hobbit"],
    ["ustin", "austen"],
  ])("one consonant of %s leads to %s", (wrong, right) => {
    expect(listNearSkeletons(wrong)).toContain(skeletonOf(right));
  });

  it("has a bounded number of neighbours", () => {
    expect(listNearSkeletons("incomprehensibilities").length).toBeLessThan(500);
    expect(listNearSkeletons("")).not.toContain("");
  });
});

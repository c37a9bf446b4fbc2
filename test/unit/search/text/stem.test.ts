import { describe, expect, it } from "vitest";
import { stem } from "../../../../src/search/text/stem.ts";

describe("stem", () => {
  it.each([
    ["running", "run"],
    ["runner", "runner"],
    ["libraries", "librari"],
    ["library", "librari"],
    ["universal", "univers"],
    ["stories", "stori"],
    ["harry", "harri"],
    ["happiness", "happi"],
    ["caresses", "caress"],
    ["agreed", "agre"],
    ["feed", "feed"],
    ["hopping", "hop"],
    ["falling", "fall"],
    ["filing", "file"],
    ["sky", "sky"],
    ["relational", "relat"],
    ["vietnamization", "vietnam"],
    ["adoption", "adopt"],
    ["controlling", "control"],
    ["generalizations", "gener"],
    ["is", "is"],
    ["c++", "c++"],
    ["c#", "c#"],
    ["1984s", "1984s"],
    ["воина", "воина"],
  ])("%s", (word, expected) => {
    expect(stem(word)).toBe(expected);
    expect(stem(word)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { splitBibKeys } from "../../../../src/catalog/lookup/bibkey.ts";

describe("splitBibKeys", () => {
  it.each<[string[], string[]]>([
    [[], []],
    [[""], []],
    [[" , ,"], []],
    [["ISBN:1"], ["ISBN:1"]],
    [["b, a ,c"], ["b", "a", "c"]],
    [
      ["a,b", "c"],
      ["a", "b", "c"],
    ],
    [
      ["0140328726", "10", "9"],
      ["0140328726", "10", "9"],
    ],
    [
      ["a,b,a", "b, a"],
      ["a", "b"],
    ],
    [["LCCN:sa 64009056,x"], ["LCCN:sa 64009056", "x"]],
  ])("%j: %j", (occurrences, keys) => expect(splitBibKeys(occurrences)).toEqual(keys));
});

import { describe, expect, it } from "vitest";
import {
  coverIdOf,
  coverUrlsOf,
  formatOrderedObject,
  ocaidOf,
} from "../../../../src/catalog/lookup/bundle.ts";
import type { Json } from "../../../../src/catalog/record.ts";
import { HOSTILE, randomStream, randomText } from "../random.ts";

describe("coverIdOf", () => {
  it.each<[Json | undefined, number | undefined]>([
    [[7], 7],
    [[-1, 7, 8], 7],
    [[null, 0, 7], 7],
    [["7"], undefined],
    [[-1, null], undefined],
    [[], undefined],
    [7, undefined],
    [undefined, undefined],
  ])("%j: %s", (covers, id) => expect(coverIdOf({ covers })).toBe(id));
});

describe("coverUrlsOf", () => {
  it("has three sizes", () => {
    expect(coverUrlsOf("http://c", { covers: [42] })).toEqual({
      small: "http://c/b/id/42-S.jpg",
      medium: "http://c/b/id/42-M.jpg",
      large: "http://c/b/id/42-L.jpg",
    });
    expect(coverUrlsOf("http://c", {})).toBeUndefined();
  });
});

describe("ocaidOf", () => {
  it.each<[Json | undefined, string | undefined]>([
    ["a", "a"],
    ["", undefined],
    [undefined, undefined],
    [["a"], undefined],
  ])("%j: %s", (ocaid, expected) => expect(ocaidOf({ ocaid })).toBe(expected));
});

describe("formatOrderedObject", () => {
  it.each<[string, [string, unknown][], string]>([
    ["nothing", [], "{}"],
    [
      "names like array indices",
      [
        ["b", 1],
        ["0140328726", 2],
        ["10", 3],
        ["9", 4],
      ],
      '{"b":1,"0140328726":2,"10":3,"9":4}',
    ],
    ["nested values", [["a", { x: [1, null, "é"] }]], '{"a":{"x":[1,null,"é"]}}'],
    ["names that need escapes", [['a"\n', true]], '{"a\\"\\n":true}'],
    [
      "special names",
      [
        ["__proto__", 1],
        ["toString", 2],
      ],
      '{"__proto__":1,"toString":2}',
    ],
    [
      "undefined, which JSON has not",
      [
        ["a", undefined],
        ["b", 1],
      ],
      '{"b":1}',
    ],
    [
      "a repeated name",
      [
        ["a", 1],
        ["b", 2],
        ["a", 3],
      ],
      '{"a":3,"b":2}',
    ],
  ])("%s", (_what, entries, text) => expect(formatOrderedObject(entries)).toBe(text));

  it("accepts any iterable", () => {
    expect(
      formatOrderedObject(
        new Map([
          ["2", "x"],
          ["1", "y"],
        ]),
      ),
    ).toBe('{"2":"x","1":"y"}');
  });

  it("is JSON with the names in order", () => {
    const random = randomStream(41);
    const pieces = [...HOSTILE, "0", "1", "42"];
    for (let round = 0; round < 300; round += 1) {
      const entries = Array.from({ length: 6 }, (_, index): [string, number] => [
        randomText(random, pieces, 3),
        index,
      ]);
      const distinct = [...new Map(entries)];
      const text = formatOrderedObject(entries);
      expect(JSON.parse(text)).toEqual(Object.fromEntries(distinct));
      const names = [...text.matchAll(/("(?:[^"\\]|\\.)*"):/g)].map(([, name = ""]) =>
        String(JSON.parse(name)),
      );
      expect(names).toEqual(distinct.map(([name]) => name));
    }
  });
});

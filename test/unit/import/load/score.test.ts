import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { type Comparable, toComparable, titleVariantsOf } from "../../../../src/import/records/comparable.ts";
import { LEVEL_2, SAME_BOOK, isSameBook, scoreLevelOne } from "../../../../src/import/records/score.ts";

/** Points of the second level, by rule. */
const levelTwo = (a: Comparable, b: Comparable): Map<string, number> =>
  new Map(
    LEVEL_2.flatMap(({ name, score }): [string, number][] => {
      const given = score(a, b);
      return given === undefined ? [] : [[name, given]];
    }),
  );

const points = (rule: string, a: CatalogRecord, b: CatalogRecord): number | undefined =>
  levelTwo(toComparable(a), toComparable(b)).get(rule);

describe("titleVariantsOf", () => {
  it.each([
    ["tide", ["tide"]],
    ["Salt & Pepper.", ["Salt & Pepper.", "salt and pepper"]],
    [
      "The Tide (a novel)",
      ["The Tide (a novel)", "the tide (a novel)", "tide (a novel)", "the tide", "tide"],
    ],
    ["Tide (a) (b)", ["Tide (a) (b)", "tide (a) (b)", "tide (a)"]],
    ["Tide ()", ["Tide ()", "tide ()"]],
    ["Tide (a) b)", ["Tide (a) b)", "tide (a) b)"]],
    ["(Tide)", ["(Tide)", "(tide)"]],
  ])("of %j", (title, variants) => expect(titleVariantsOf(title)).toEqual(variants));
});

describe("date", () => {
  it.each([
    [undefined, undefined, 0],
    ["1999", undefined, -800],
    ["1999", " ", -800],
    ["2011", "2011", 200],
    ["2011", "2013", -25],
    ["2011", "2014", -800],
    ["2011", "Jan 09, 2011", 200],
    ["Jan 9, 2011", "2011-01-09", 200],
    ["Jan 9, 2011", "Feb 9, 2011", -25],
    ["c1999", "[1999?]", 200],
    ["19uu", "[19--]", 200],
    ["19uu", "1900", -25],
    ["soon", "soon", 200],
    ["soon", "2011", -800],
  ])("%j and %j: %d", (a, b, expected) => {
    expect(points("date", { publish_date: a }, { publish_date: b })).toBe(expected);
    expect(points("date", { publish_date: b }, { publish_date: a })).toBe(expected);
  });

  it("may be a number", () =>
    expect(points("date", { publish_date: 2011 }, { publish_date: "2011" })).toBe(200));
});

describe("country, ISBN, LCCN, pages", () => {
  it.each([
    ["gw ", "wb", 40],
    ["gw", "gw", 40],
    ["enk", "nyu", -205],
    ["|||", "nyu", 0],
    ["   ", "nyu", 0],
  ])("country %j and %j: %d", (a, b, expected) => {
    expect(points("publish_country", { publish_country: a }, { publish_country: b })).toBe(expected);
  });

  it.each([
    [{ isbn_10: ["1"] }, { isbn_13: ["2", "1"] }, 85],
    [{ isbn: ["1"] }, { isbn_13: ["2"] }, -225],
    [{ isbn: ["1"] }, {}, 0],
  ])("ISBN %j and %j: %d", (a, b, expected) => expect(points("ISBN", a, b)).toBe(expected));

  it.each([
    [["1", "2"], ["1", "2"], 200],
    [["1", "2"], ["2", "1"], -320],
    [["1"], [], 0],
  ])("LCCN %j and %j: %d", (a, b, expected) =>
    expect(points("lccn", { lccn: a }, { lccn: b })).toBe(expected),
  );

  it.each([
    [215, 215, 100],
    [10, 10, 50],
    [215, 205, 50],
    [15, 8, 20],
    [215, 230, -225],
    [215, undefined, undefined],
  ])("pages %j and %j: %j", (a, b, expected) => {
    expect(points("pagination", { number_of_pages: a }, { number_of_pages: b })).toBe(expected);
  });
});

describe("publisher", () => {
  it.each([
    [["Penguin"], ["Penguin Books"], 100],
    [["Black Spot"], ["BLACKSPOT, Inc."], 100],
    [["Harvard U.P"], ["Harvard University Press"], 100],
    [["Oxford U. P."], ["Harvard University Press"], -51],
    [["Wiley", "Knopf"], ["A. A. Knopf"], 100],
    [["Wiley"], ["Knopf"], -51],
    [["Wiley"], ["."], 0],
    [["Wiley"], undefined, 0],
  ])("%j and %j: %d", (a, b, expected) => {
    expect(points("publisher", { publishers: a }, { publishers: b })).toBe(expected);
  });
});

/** One character of two units. */
const BIG = "\u{20000}";

describe("title", () => {
  it.each([
    ["Gone with the wind", "GONE WITH THE WIND.", 600],
    ["The Great Gatsby", "Great Gatsby", 600],
    ["A history of England (Penguin)", "History of England", 600],
    ["Gone with the wind", "Gone with the wind, illustrated", 350],
    ["Covers", "Covers", 500],
    [BIG.repeat(5), BIG.repeat(5), 500],
    ["Alpha beta gamma", "delta epsilon zeta", 50],
    ["red green blue pink", "blue red white gray", 225],
    ["red green blue pink", "red blue white gray", 275],
  ])("%j and %j: %d", (a, b, expected) => {
    expect(points("full-title", { title: a }, { title: b })).toBe(expected);
  });

  it("has the subtitle in it", () => {
    expect(points("full-title", { title: "Fish: a life" }, { title: "Fish", subtitle: "a life" })).toBe(600);
  });

  it("compares beginnings by character, not by code unit", () => {
    const [same, other] = ["𝔄".repeat(25), "𝔄".repeat(24)];
    expect(scoreLevelOne(toComparable({ title: same }), toComparable({ title: `${same}x` }))).toBe(450);
    expect(scoreLevelOne(toComparable({ title: same }), toComparable({ title: `${other}x` }))).toBe(0);
  });
});

describe("authors", () => {
  const by = (...names: string[]): CatalogRecord => ({ authors: names.map((name) => ({ name })) });

  it.each<[CatalogRecord, CatalogRecord, number]>([
    [by("John Smith"), by("john smith."), 125],
    [by(), by(), -200],
    [by("A B"), by(), -200],
    [{}, {}, 75],
    [{}, by("A B"), -25],
    [{ contribs: [{ name: "A B" }] }, { contribs: [{ name: "A B" }] }, 125],
    [{ contribs: [{ name: "A B" }] }, by("A B"), 125],
    [by("Jane Q. Austen"), by("Jane Austen"), (2 / 3) * 80 + 10],
    [by("Austen Jane Q."), by("Jane Austen"), (2 / 3) * 80],
    [by("Jane Austen"), by("Jane Eyre"), -200],
  ])("%j and %j: %d", (a, b, expected) => expect(points("authors", a, b)).toBeCloseTo(expected));

  it("match by name and dates", () => {
    const stored = { authors: [{ name: "A B 1900-1950" }] };
    const dated = { authors: [{ name: "A B", birth_date: "1900", death_date: "1950" }] };
    expect(points("authors", dated, stored)).toBe(125);
    expect(points("authors", { authors: [{ name: "A B", date: "1900-1950" }] }, stored)).toBe(125);
  });
});

describe("isSameBook", () => {
  const BIRDS = { title: "A guide to the birds of the northern coast", publish_date: "1979" };
  const ISLES = { title: "A guide to the birds of the southern isles", publish_date: "1979" };
  const ids = { isbn_10: ["0306406152"], lccn: ["79004711"] };
  const by = (name: string) => ({ authors: [{ name }] });

  it.each<[string, CatalogRecord, CatalogRecord, { one: number; two: number; isSame: boolean }]>([
    ["title and date", BIRDS, BIRDS, { one: 650, two: 875, isSame: true }],
    [
      "title and date without the publisher",
      { ...BIRDS, publishers: ["Tidal Press"] },
      { ...BIRDS, publishers: ["Fen Books"] },
      { one: 650, two: 824, isSame: false },
    ],
    [
      "title and author of a year later",
      { ...BIRDS, ...by("Edith Harbour") },
      { ...BIRDS, ...by("Edith Harbour"), publish_date: "1980" },
      { one: 425, two: 700, isSame: false },
    ],
    [
      "everything that editions are told by",
      { ...BIRDS, ...ids, ...by("Edith Harbour"), publishers: ["Tidal Press"], publish_country: "enk" },
      { ...BIRDS, ...ids, ...by("Edith Harbour"), publishers: ["Tidal"], publish_country: "enk" },
      { one: 935, two: 1350, isSame: true },
    ],
    [
      "numbers and the beginning of the title, and nothing else",
      { ...BIRDS, ...ids, ...by("Edith Harbour"), publishers: ["Tidal Press"], publish_country: "enk" },
      { ...ISLES, ...ids, ...by("Thomas Quay"), publishers: ["Fen Books"], publish_country: "nyu" },
      { one: 935, two: 379, isSame: true },
    ],
    [
      "a beginning of the title and other numbers",
      { ...BIRDS, ...ids },
      { ...ISLES, isbn_10: ["0198526636"], lccn: ["79004712"] },
      { one: 105, two: 80, isSame: false },
    ],
  ])("compares %s", (_what, a, b, { one, two, isSame }) => {
    const sides = [toComparable(a), toComparable(b)] as const;
    const sum = [...levelTwo(...sides).values()].reduce((total, score) => total + score, 0);
    expect([scoreLevelOne(...sides), sum, isSameBook(...sides)]).toEqual([one, two, isSame]);
  });

  it("agrees with the sum of all scores", () => {
    const values: Readonly<Record<string, readonly CatalogRecord[]>> = {
      date: [{}, { publish_date: "1999" }, { publish_date: "2001" }],
      country: [{}, { publish_country: "gw" }, { publish_country: "nyu" }],
      isbn: [{}, { isbn_10: ["1"] }, { isbn_10: ["2"] }],
      lccn: [{}, { lccn: ["1"] }, { lccn: ["2"] }],
      title: [
        { title: "Spoon River Anthology" },
        { title: "Spoon River Anthology, new" },
        { title: "River" },
      ],
      publisher: [{}, { publishers: ["Penguin"] }, { publishers: ["Wiley"] }],
      authors: [{ authors: [] }, { authors: [{ name: "Edgar Lee Masters" }] }],
      pages: [{}, { number_of_pages: 300 }],
    };
    const sides = Object.values(values).reduce<CatalogRecord[]>(
      (all, options) => all.flatMap((side) => options.map((option) => Object.assign({}, side, option))),
      [{}],
    );
    const compared = sides.map(toComparable);
    let same = 0;
    // Every 13th with every 11th: some 16,000 pairs.
    for (let i = 0; i < sides.length; i += 13) {
      for (let j = 0; j < sides.length; j += 11) {
        const [a, b] = [compared[i] ?? toComparable({}), compared[j] ?? toComparable({})];
        const level2 = [...levelTwo(a, b).values()].reduce((total, score) => total + score, 0);
        const isSame = scoreLevelOne(a, b) >= SAME_BOOK || level2 >= SAME_BOOK;
        if (isSame) same += 1;
        if (isSame !== isSameBook(a, b)) expect([sides[i], sides[j], level2]).toEqual([]);
      }
    }
    expect(same).toBeGreaterThan(100);
  });
});

import { describe, expect, it } from "vitest";
import type { Document } from "../../../../src/search/engine.ts";
import { type EditionCriteria, makeEditionChooser } from "../../../../src/search/present/choose-edition.ts";
import { parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { between, equals, not } from "../../../../src/search/query/query.ts";
import { parseEditionSort } from "../../../../src/search/sorts.ts";

const edition = (
  id: number,
  members: Record<string, string | string[] | number | number[] | boolean> = {},
) => ({
  key: `/books/OL${id}M`,
  type: "edition",
  title: "Don Quixote",
  ebook_access: "no_ebook",
  has_fulltext: false,
  public_scan_b: false,
  ...members,
});
const wish = (members: Partial<EditionCriteria> = {}): EditionCriteria => ({
  clauses: [],
  language: "eng",
  words: [],
  sort: [],
  ...members,
});
const chosen = (editions: Document[], wanted: EditionCriteria) => {
  const { numFound, edition: best } = makeEditionChooser(wanted)(editions);
  return [numFound, best?.["key"]];
};
const sorted = (name: string): EditionCriteria => wish({ sort: parseEditionSort(name, 0).sorts });

describe("makeEditionChooser: points", () => {
  it.each<[string, Document[], Partial<EditionCriteria>, [number, string | undefined]]>([
    ["none", [], {}, [0, undefined]],
    ["the first of equals", [edition(1), edition(2)], {}, [2, "/books/OL1M"]],
    ["the reader's language", [edition(1), edition(2, { language: ["eng"] })], {}, [2, "/books/OL2M"]],
    [
      "language above access and cover",
      [edition(1, { ebook_access: "public", cover_i: 1 }), edition(2, { language: ["ger"] })],
      { language: "ger" },
      [2, "/books/OL2M"],
    ],
    [
      "public above borrowable",
      [edition(1, { ebook_access: "borrowable" }), edition(2, { ebook_access: "public" })],
      {},
      [2, "/books/OL2M"],
    ],
    [
      "borrowable above print-disabled with a cover",
      [edition(1, { ebook_access: "printdisabled", cover_i: 1 }), edition(2, { ebook_access: "borrowable" })],
      {},
      [2, "/books/OL2M"],
    ],
    ["a cover", [edition(1), edition(2, { cover_i: 1 })], {}, [2, "/books/OL2M"]],
    [
      "words of the title",
      [edition(1, { title: "El Quijote" }), edition(2, { title: "Don Quixotes" })],
      { words: ["don", "quixote"] },
      [2, "/books/OL2M"],
    ],
    [
      "a title above a publisher",
      [edition(1, { title: "Other", publisher: ["Penguin"] }), edition(2, { title: "Penguin" })],
      { words: ["penguin"] },
      [2, "/books/OL2M"],
    ],
    [
      "a publisher, a chapter, an ISBN, an author",
      [edition(1), edition(2, { isbn: ["9780060935467"] })],
      { words: ["9780060935467"] },
      [2, "/books/OL2M"],
    ],
    [
      "at most 9.9 for words",
      [edition(1, { ebook_access: "public" }), edition(2, { title: "a b c d e f g h" })],
      { words: [..."abcdefgh"] },
      [2, "/books/OL1M"],
    ],
  ])("%s", (_name, editions, members, expected) => {
    expect(chosen(editions, wish(members))).toEqual(expected);
  });
});

describe("makeEditionChooser: most points of many", () => {
  const points = {
    language: 40,
    cover: 2,
    access: { public: 10, borrowable: 8, printdisabled: 2, no_ebook: 0 },
  };
  /** Every kind of edition, with its points besides words. */
  const kinds = [true, false].flatMap((isEnglish) =>
    [true, false].flatMap((hasCover) =>
      Object.entries(points.access).map(([access, own]) => ({
        members: {
          ebook_access: access,
          ...(isEnglish && { language: ["eng"] }),
          ...(hasCover && { cover_i: 1 }),
        },
        own: own + (isEnglish ? points.language : 0) + (hasCover ? points.cover : 0),
      })),
    ),
  );

  it.each([[[]], [["sea"]], [["old", "sea"]], [[..."abcdefg"]]])(
    "is the first with the most points, for words %j",
    (words) => {
      // Kinds in many orders, each with some of the words: a place goes with one of its neighbours each time.
      for (const step of [1, 3, 5, 7, 11, 13]) {
        const editions = kinds.map((_kind, at) => {
          const { members, own } = kinds[(at * step) % kinds.length] ?? { members: {}, own: 0 };
          const had = words.slice(0, (at * (step + 2)) % (words.length + 1));
          const all = own + Math.min(9.9, 2 * had.length);
          return { document: edition(at, { ...members, title: ["x", ...had].join(" ") }), all };
        });
        const most = Math.max(...editions.map(({ all }) => all));
        const best = editions.find(({ all }) => all === most)?.document.key;
        const documents = editions.map(({ document }) => document);
        expect(chosen(documents, wish({ words })), `${step}`).toEqual([kinds.length, best]);
      }
    },
  );
});

describe("makeEditionChooser: clauses", () => {
  const spanish = edition(1, {
    title: "El Quijote",
    language: ["spa"],
    publish_year: [1999],
    format: ["Hardcover"],
  });
  const english = edition(2, { language: ["eng"], ebook_access: "borrowable", publisher: ["Penguin Books"] });
  const clausesOf = (text: string) => parseWorkQuery(text, { prefix: "OL" }).editionClauses;

  it.each<[string, number, string | undefined]>([
    ["language:spa", 1, "/books/OL1M"],
    ["language:(eng OR spa)", 2, "/books/OL2M"],
    ["language:spa publisher:penguin", 0, undefined],
    ["publisher:penguin", 1, "/books/OL2M"],
    ['publisher:"penguin book"', 1, "/books/OL2M"],
    ['publisher:"books penguin"', 0, undefined],
    ["publisher:peng*", 1, "/books/OL2M"],
    ["edition.title:quijote", 1, "/books/OL1M"],
    ["publish_year:[1990 TO *]", 1, "/books/OL1M"],
    ["publish_year:{1999 TO 2005]", 0, undefined],
    ["publish_year:abc", 0, undefined],
    ["ebook_access:[borrowable TO *]", 1, "/books/OL2M"],
    ["ebook_access:{borrowable TO *]", 0, undefined],
    ["ebook_access:foo", 0, undefined],
    ["edition_key:OL1M", 1, "/books/OL1M"],
    ["has_fulltext:false", 2, "/books/OL2M"],
    ["format:hardcovers", 1, "/books/OL1M"],
    ["edition.language:*", 2, "/books/OL2M"],
    ["cover_i:[* TO *]", 0, undefined],
  ])("%s", (text, count, key) => {
    expect(chosen([spanish, english], wish({ clauses: clausesOf(text) }))).toEqual([count, key]);
  });

  it("needs one edition that meets all filters", () => {
    const filters = [equals("language", "spa"), between("ebook_access", "borrowable", null)];
    expect(chosen([spanish, english], wish({ clauses: filters }))).toEqual([0, undefined]);
    expect(chosen([spanish, english], wish({ clauses: [not(equals("language", "eng"))] }))).toEqual([
      1,
      "/books/OL1M",
    ]);
  });

  it("ignores titles that editions are not returned with", () => {
    const clauses = clausesOf("title:ingenious language:spa");
    expect(chosen([spanish, english], wish({ clauses }))).toEqual([1, "/books/OL1M"]);
  });

  it("takes linear time with wildcards", () => {
    const stars = { kind: "pattern", parts: Array<string>(2000).fill("a") } as const;
    const clauses = [{ op: "match", field: "ia", value: stars, boost: 1 }] as const;
    expect(chosen([edition(1, { ia: ["a".repeat(1990)] })], wish({ clauses }))).toEqual([0, undefined]);
  });
});

describe("makeEditionChooser: orders", () => {
  const editions = [
    edition(3, { publish_year: [2001], access_score: 10, title: "Étude" }),
    edition(1, { ebook_access: "public", title: "Zoo" }),
    edition(2, { publish_year: [1990, 2010], access_score: 30, title: "Apple" }),
  ];
  it.each([
    ["old", "/books/OL2M"],
    ["new", "/books/OL2M"],
    ["title", "/books/OL2M"],
    ["access_score", "/books/OL2M"],
    ["access_score asc", "/books/OL1M"],
    ["ebook_access", "/books/OL1M"],
    ["key", "/books/OL1M"],
    ["key desc", "/books/OL3M"],
    ["ebook_access asc,new", "/books/OL2M"],
  ])("%s", (name, key) => {
    expect(chosen(editions, sorted(name))).toEqual([3, key]);
  });

  it("uses the seed for random orders", () => {
    const best = (name: string) => chosen(editions, sorted(name))[1];
    expect(best("random_a")).toBe(best("random_a"));
    const seeds = Array.from({ length: 20 }, (_, index) => best(`random_${index}`));
    expect(new Set(seeds).size).toBe(3);
  });
});

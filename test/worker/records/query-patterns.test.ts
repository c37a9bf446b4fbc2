import { beforeAll, describe, expect, it } from "vitest";
import { queriesOf } from "../../support/worker/queries.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const { keys, problem } = queriesOf(service);

const TITLES = [
  "Rock and Roll",
  "Rock & Roll",
  "Rockets",
  "The Cat",
  "The Cats of Rome",
  "A Tale",
  "Theory",
  "Android",
  "100% wool_or [cotton]?",
  "a*b",
  "a\\b",
  "Émile",
  "rock and roll",
  "And so on",
  "An Anthology and Andes and Ants",
  "  Blank  first",
  "\t and then",
  `${"Very long ".repeat(60)}title`,
];
const W = "/type/work";

beforeAll(async () => {
  await service.load(
    ...TITLES.map((title, index) => work(index + 1, { title, subtitle: title, number_of_editions: 1 })),
    author(1, { name: "The Who", alternate_names: ["Who, The"] }),
    edition(1, { title: "Rock and Roll", isbn_10: ["0451526538"] }),
  );
});

const titles = async (condition: Record<string, unknown>): Promise<string[]> => {
  const found = await keys({ type: W, ...condition });
  return found.map((key) => TITLES[Number(/\d+/.exec(key)?.[0]) - 1]!);
};
const starting = (prefix: string): string[] => TITLES.filter((title) => title.startsWith(prefix));

describe("a prefix pattern", () => {
  it.each(TITLES)("matches every beginning of %j", async (title) => {
    for (let length = 1; length <= title.length; length += length < 30 ? 1 : 23) {
      const prefix = title.slice(0, length);
      if (/[*\\]/.test(prefix)) continue;
      expect(await titles({ "title~": `${prefix}*` }), prefix).toEqual(starting(prefix));
    }
  });

  it.each(["Rock and R*", "The C*", "A T*", "An Anthology and A*", "And *", "The *", "*", "E*", "É*"])(
    "%s gives the same result by index and by comparison",
    async (pattern) => {
      // Only the title is indexed.
      const expected = starting(pattern.slice(0, -1));
      expect(await titles({ "title~": pattern })).toEqual(expected);
      expect(await titles({ "subtitle~": pattern })).toEqual(expected);
    },
  );

  it.each([
    [{ type: "/type/author", "name~": "The W*" }, ["/authors/OL1A"]],
    [{ type: "/type/author", "alternate_names~": "Who*" }, ["/authors/OL1A"]],
    [
      { "key~": "/works/OL1*", sort: "key" },
      [1, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((id) => `/works/OL${id}W`),
    ],
    [{ "key~": "/nothing/*" }, []],
    [{ "key~": "\u{10ffff}*" }, []],
  ])("%j", async (query, expected) => {
    const found = await keys(query);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

// Other patterns need something else that narrows the records down.
describe.each<Record<string, unknown>>([{ number_of_editions: 1 }, { "key~": "/works/*" }])(
  "any pattern beside %j",
  (beside) => {
    it.each([
      ["title~", "Rock*Roll", ["Rock and Roll", "Rock & Roll"]],
      ["title~i", "Rock*Roll", ["Rock and Roll", "Rock & Roll", "rock and roll"]],
      ["title~", "*cat*", []],
      ["title~i", "*cat*", ["The Cat", "The Cats of Rome"]],
      ["title~", "rockets", []],
      ["title~", "a\\*b", ["a*b"]],
      ["title~", "a*b", ["a*b", "a\\b"]],
      ["title~", "a\\b", ["a\\b"]],
      ["title~i", "A\\B", ["a\\b"]],
      ["title~i", "100_ wool%*", []],
      ["title~", "*[cotton]?", ["100% wool_or [cotton]?"]],
      ["title~", "", []],
      ["title~", "**", TITLES],
      [
        "subtitle~i",
        "*RO*",
        ["Rock and Roll", "Rock & Roll", "Rockets", "The Cats of Rome", "Android", "rock and roll"],
      ],
    ])("%s %j", async (name, pattern, expected) => {
      expect((await titles({ ...beside, [name]: pattern })).toSorted()).toEqual(expected.toSorted());
    });
  },
);

describe("patterns without an index", () => {
  it.each([
    { type: W, "title~": "*Roll" },
    { type: W, "title~": "Rock*Roll" },
    { type: W, "subtitle~": "*x" },
    { type: W, "title~": "Rock\\*" },
    { "key~": "*W" },
    { type: W, "number_of_editions>": 0, "title~": "*Roll" },
    { type: W, links: { "title~": "*x" } },
  ])("are refused: %j", async (query) => {
    expect(await problem(query)).toMatch(/pattern/);
  });

  it("are refused when too long for the database", async () => {
    expect(await problem({ type: W, number_of_editions: 1, "title~": `*${"x".repeat(60)}*` })).toMatch(
      /long/,
    );
    expect(await titles({ "title~": `${"x".repeat(5000)}*` })).toEqual([]);
  });
});

describe("derived properties of editions", () => {
  const E = "/type/edition";
  const M1 = ["/books/OL1M"];
  it.each([
    [{ type: E, isbn_: "0-451-52653-8" }, M1],
    [{ type: E, isbn_: ["junk", "9780451526533"] }, M1],
    [{ type: E, isbn_: "junk" }, []],
    [{ type: E, isbn_: 451526538 }, []],
    [{ type: E, isbn_: { key: "0451526538" } }, []],
    [{ type: [E, W], isbn_: "0451526538" }, M1],
    [{ type: E, normalized_title_: "rockroll" }, M1],
    [{ type: [E, W], normalized_title_: "rockroll" }, M1],
    [{ type: E, key: "/books/OL1M", isbn_: "0451526538" }, M1],
    [{ type: E, key: "/books/OL1M", isbn_: "9780140328721" }, []],
    [{ type: E, isbn_: "0451526538", normalized_title_: "other" }, []],
    [{ type: E, "a:isbn_": "0451526538", "b:isbn_": "9780451526533" }, M1],
    [{ type: E, isbn_10: "0451526538" }, M1],
    [{ type: E, isbn_10: "9780451526533" }, []],
  ])("%j", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  it.each([{ "isbn_~": "045*" }, { "isbn_!=": "0451526538" }, { "normalized_title_>": "a" }])(
    "take = only: %j",
    async (condition) => {
      expect(await problem({ type: E, key: "/books/OL1M", ...condition })).toMatch(/only =/);
    },
  );
});

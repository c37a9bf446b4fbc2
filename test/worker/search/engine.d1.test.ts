import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../../src/db/search/embedded-engine.ts";
import { CORRECTED_LENGTH_MAX } from "../../../src/search/correction/word-forms.ts";
import type { FacetRequest } from "../../../src/search/engine.ts";
import { equals } from "../../../src/search/query/query.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const service = testService();
const engine = createEngine(env.SEARCH, "a", { prefix: "OL" });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Tolkien" }),
    { key: "/series/OL9L", type: "/type/series", name: "Rings" },
    ...Array.from({ length: 30 }, (_, at) =>
      work(at + 1, {
        title: at % 2 === 0 ? "The lord of rings" : "Hobbit philosophy",
        authors: [1],
        subjects: ["All", `Subject ${at % 7}`],
      }),
    ),
    ...Array.from({ length: 30 }, (_, at) =>
      edition(at + 1, {
        work: at + 1,
        publish_date: String(1950 + at),
        publishers: [`Press ${at % 3}`],
        languages: [{ key: at % 5 === 0 ? "/languages/ger" : "/languages/eng" }],
      }),
    ),
    edition(100, { title: "Habit of ringss" }),
  );
  await indexAll();
});

describe("getMany", () => {
  it("returns documents of all kinds in request order, in one round trip", async () => {
    const counted = countedDatabase(env.SEARCH);
    const keys = [
      "/subjects/all",
      "/works/OL100M",
      "/works/OL99W",
      "/series/OL9L",
      "/authors/OL1A",
      "/works/OL2W",
    ];
    const found = await createEngine(counted.database, "a", { prefix: "OL" }).getMany(keys);
    expect(found.map(({ key }) => key)).toEqual(keys.filter((key) => key !== "/works/OL99W"));
    expect(counted.statements).toHaveLength(4);
    expect(found.at(-1)).toMatchObject({
      title: "Hobbit philosophy",
      edition_key: ["OL2M"],
      ratings_count: 0,
    });
    expect(await engine.getMany([])).toEqual([]);
  });
});

describe("findCorrection", () => {
  it.each([
    [["tolkein"], { tolkein: "tolkien" }],
    [["Tolkin", "lord"], { Tolkin: "tolkien" }],
    [["hobit"], { hobit: "hobbit" }],
    [["filosophy"], { filosophy: "philosophy" }],
    [["philosphy"], { philosphy: "philosophy" }],
    [["philosofy"], { philosofy: "philosophy" }],
    [["lrod of the rings"], { "lrod of the rings": "lord of the rings" }],
    [["lrod of teh rings"], { "lrod of teh rings": "lord of the rings" }],
    [["lrod", "of", "ri", "ngs"], { lrod: "lord", ri: "rings", ngs: "" }],
    [["hobbitphilosophy"], { hobbitphilosophy: "hobbit philosophy" }],
    [["rings", "the", "1999", "xq", "abcdefghijk"], {}],
    [["ring"], {}],
    // A whole title with another word that sounds alike.
    [["habit", "philosophy"], { habit: "hobbit" }],
    [["habit", "tolkien"], {}],
    [["ringss", "lord"], { ringss: "rings" }],
    [[], {}],
  ])("%j", async (words, expected) => {
    const correction = await engine.findCorrection(words);
    const replacements = correction?.isSure ? correction.replacements : new Map();
    expect(Object.fromEntries(replacements)).toEqual(expected);
  });

  it("skips words longer than any indexed word", async () => {
    const counted = countedDatabase(env.SEARCH);
    const { findCorrection } = createEngine(counted.database, "a", { prefix: "OL" });
    expect(await findCorrection(["x".repeat(CORRECTED_LENGTH_MAX + 1), "y".repeat(16_000)])).toBeUndefined();
    expect(counted.statements).toEqual([]);
  });
});

it("health counts documents", async () => {
  expect((await engine.health()).documents).toEqual({ work: 31, author: 1, subject: 8, list: 1 });
});

describe("facets", () => {
  const facet = (field: string, more: Partial<FacetRequest> = {}): FacetRequest => ({
    field,
    limit: 100,
    sort: "count",
    offset: 0,
    mincount: 1,
    ...more,
  });

  it("match a text in any case, and page", async () => {
    const search = { query: equals("subject_key", "all"), filters: [], editionClauses: [] };
    const { fields } = await engine.facets({
      ...search,
      facets: [facet("subject_facet", { contains: "SUBJECT", limit: 2, offset: 1 }), facet("isbn")],
    });
    expect(fields).toEqual({
      subject_facet: [
        { value: "Subject 1", count: 5 },
        { value: "Subject 2", count: 4 },
      ],
      isbn: [],
    });
  });
});

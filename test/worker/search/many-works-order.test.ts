import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { searchWorks } from "../../../src/db/search/works.ts";
import { popularity } from "../../../src/search/documents/popularity.ts";
import type { WorkDocument } from "../../../src/search/documents/types.ts";
import type { WorkHits, WorkSearch } from "../../../src/search/engine.ts";
import { type Query, ALL } from "../../../src/search/query/query.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

// More works than are looked up one by one, or sorted as a whole.
const WORKS = 1400;
const works = Array.from({ length: WORKS }, (_empty, place) => oneOfMany(place));
const counted = countedDatabase(env.SEARCH);
const index = { database: counted.database, generation: "a", prefix: "OL" } as const;
const SEA: Query = { op: "match", field: null, value: { kind: "word", text: "sea" }, boost: 1 };
const MANY: Query[] = [{ ...SEA, field: "title" }];

/** Most have one edition and no readers; some none, several, or readers; few an early year, or one beyond all tokens. */
function oneOfMany(place: number): WorkDocument {
  const editions = { 3: 0, 7: 2, 11: 30 }[place % 20] ?? 1;
  const year = place % 400 === 5 ? 5740 : 1500 + ((place * 7) % 530);
  const dated = place % 3 === 0 ? {} : { publish_date: String(year) };
  return testWork({
    number: 1 + place,
    members: { title: "Sea" },
    editions: Array.from({ length: editions }, () => ({ title: "x", ...dated })),
    counts: place % 9 === 0 ? { wantToRead: place % 77 } : {},
  });
}

beforeAll(async () => {
  await applyTo("a", { works: works.map((work) => at(1, work)) });
}, 120_000);

function search(options: Partial<WorkSearch>): Promise<WorkHits> {
  const page = { sort: [], start: 0, rows: 1000, withEditions: false };
  return searchWorks(index, { query: ALL, filters: MANY, editionClauses: [], ...page, ...options });
}

const idOf = ({ key }: WorkDocument): number => Number(/\d+/.exec(key)?.[0]);
const keysOf = ({ documents }: WorkHits): unknown[] => documents.map((document) => document["key"]);
const byPopularity = (a: WorkDocument, b: WorkDocument): number =>
  popularity(b) - popularity(a) || idOf(a) - idOf(b);

function ordered(compare: (a: WorkDocument, b: WorkDocument) => number): string[] {
  return works.toSorted((a, b) => compare(a, b) || idOf(a) - idOf(b)).map(({ key }) => key);
}

it("orders very many works by popularity, from whichever on", async () => {
  const keys = ordered(byPopularity);
  for (const [start, rows] of [
    [0, 1000],
    [0, 20],
    [180, 200],
    [390, 40],
    [1320, 100],
  ] as const) {
    const hits = await search({ start, rows });
    expect(hits.numFound).toBe(WORKS);
    expect(keysOf(hits), `${start}`).toEqual(keys.slice(start, start + rows));
  }
});

it("orders very many works by year, from whichever on, in one round trip", async () => {
  const year = ({ first_publish_year: first }: WorkDocument, none: number): number => first ?? none;
  const orders = [
    [true, ordered((a, b) => year(b, -1) - year(a, -1))],
    [false, ordered((a, b) => year(a, 9999) - year(b, 9999))],
  ] as const;
  for (const [descending, keys] of orders) {
    for (const [start, rows] of [
      [0, 20],
      [0, 1000],
      [1, 7],
      [700, 500],
      [1380, 50],
    ] as const) {
      counted.statements.length = 0;
      const hits = await search({ sort: [{ field: "first_publish_year", descending }], start, rows });
      expect(roundTrips(counted)).toBe(1);
      expect(hits.numFound).toBe(WORKS);
      expect(keysOf(hits), `${String(descending)} ${start}`).toEqual(keys.slice(start, start + rows));
    }
  }
});

it("compares the most popular ones of very many works, and lets the others follow", async () => {
  // All have the same title: nothing but their popularity tells them apart.
  const keys = ordered(byPopularity);
  const whole = keysOf(await search({ query: SEA, filters: [] }));
  expect(whole).toEqual(keys.slice(0, 1000));
  expect(keysOf(await search({ query: SEA, filters: [], start: 150, rows: 100 }))).toEqual(
    keys.slice(150, 250),
  );
});

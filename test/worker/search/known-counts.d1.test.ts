import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEngine } from "../../../src/db/search/embedded-engine.ts";
import type { KnownCounts } from "../../../src/db/search/index-reader.ts";
import type { Sort, SearchRequest } from "../../../src/search/engine.ts";
import { type Query, ALL, between, equals } from "../../../src/search/query/query.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";

/** Enough works for the count to be remembered. */
const WORKS = 520;
const WRONG = 7;
const counts: KnownCounts = { version: "", matches: new Map(), facets: new Map(), places: new Map() };
const engine = createEngine(env.SEARCH, "a", { prefix: "OL", counts });
const WHALE: Query = { op: "match", field: null, value: { kind: "word", text: "whale" }, boost: 1 };
const byTitle: Sort = { field: "title", descending: false };

let version = 0;

function write(numbers: readonly number[], title: string) {
  const written = numbers.map((number) =>
    testWork({
      number,
      members: { title: `${title} ${number}` },
      editions: [{ languages: [{ key: "/languages/eng" }] }],
    }),
  );
  version += 1;
  return applyTo("a", { works: written.map((work) => at(version, work)) });
}

async function found(options: Partial<SearchRequest>) {
  const search = {
    query: WHALE,
    filters: [],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 5,
    withEditions: false,
  };
  return (await engine.works({ ...search, ...options })).numFound;
}

function countLanguages() {
  const facets = [{ field: "language", limit: 1, sort: "count" as const, offset: 0, mincount: 1 }];
  return engine.facets({ query: WHALE, filters: [], editionClauses: [], facets });
}

/** Every way to count. */
const WAYS: [name: string, count: () => Promise<number>][] = [
  ["ranked", () => found({})],
  ["popular", () => found({ query: equals("language", "eng"), filters: [WHALE] })],
  ["sorted", () => found({ sort: [byTitle] })],
  ["walked", () => found({ sort: [{ field: "key", descending: false }], after: [] })],
  ["without works", () => found({ rows: 0 })],
  ["with facets", async () => (await countLanguages()).numFound],
];

beforeEach(() => counts.matches.clear());
beforeAll(() =>
  write(
    Array.from({ length: WORKS }, (_empty, number) => number + 1),
    "Whale",
  ),
);

describe("a count of works", () => {
  it.each(WAYS)("%s is reused until the text changes", async (_way, count) => {
    expect(await count()).toBe(WORKS);
    for (const match of counts.matches.keys()) counts.matches.set(match, WRONG);
    expect(await count()).toBe(WRONG);
    await write([WORKS], "Shark");
    expect(await count()).toBe(WORKS - 1);
    await applyTo("a", { deletes: [{ key: "/works/OL1W", version: (version += 1) }] });
    expect(await count()).toBe(WORKS - 2);
    await write([1, WORKS], "Whale");
    expect(await count()).toBe(WORKS);
  });

  it("of each language is reused until the text changes", async () => {
    const english = (count: number) => ({ numFound: count, fields: { language: [{ value: "eng", count }] } });
    expect(await countLanguages()).toMatchObject(english(WORKS));
    for (const key of counts.facets.keys())
      counts.facets.set(key, { language: [{ value: "eng", count: WRONG }] });
    expect((await countLanguages()).fields).toEqual(english(WRONG).fields);
    await applyTo("a", { deletes: [{ key: "/works/OL2W", version: (version += 1) }] });
    expect(await countLanguages()).toMatchObject(english(WORKS - 1));
    await write([2], "Whale");
    expect(await countLanguages()).toMatchObject(english(WORKS));
  });

  it("is not remembered if it depends on more than the text", async () => {
    expect(await found({ filters: [between("edition_count", "1", "9")] })).toBe(WORKS);
    expect(counts.matches.size).toBe(0);
    expect(await found({ query: ALL, keys: ["/works/OL1W"] })).toBe(1);
    expect(counts.matches.size).toBe(0);
  });
});

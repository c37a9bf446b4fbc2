import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { searchWorks } from "../../../src/search/engine/search-works.ts";
import type { SearchResult, SearchRequest } from "../../../src/search/engine.ts";
import { type Query, ALL } from "../../../src/search/query/query.ts";
import { applyTo, at } from "../../support/worker/index-documents.ts";
import { naiveMatch } from "../../support/worker/naive-search.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { randomEditionLeaf, randomQuery, randomWorks } from "../../support/worker/random-works.ts";

const WORKS = 200;
const QUERIES = 60;
const random = randomFrom(7);
const works = randomWorks(random, WORKS);
const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;

beforeAll(async () => {
  await applyTo("a", { works: works.map((work) => at(1, work)) });
});

function search(options: Partial<SearchRequest>): Promise<SearchResult> {
  return searchWorks(createWorkSource(index), {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 1000,
    withEditions: false,
    ...options,
  });
}

function keysOf({ documents }: SearchResult): unknown[] {
  return documents.map((document) => document["key"]);
}

function expected(queries: readonly Query[], editionClauses: readonly Query[] = []): string[] {
  return works.filter((work) => naiveMatch(work, queries, editionClauses)).map(({ key }) => key);
}

/** Without values that would have to be looked up in the vocabulary, which holds at most 200. */
function isPlain(query: Query): boolean {
  return !JSON.stringify(query).includes('"publisher_facet","value":{"kind":"pattern"');
}

it("results equal a naive search and page without gaps", async () => {
  for (let turn = 0; turn < QUERIES; turn += 1) {
    const query = randomQuery(random);
    const filters = random.chance(0.4) ? [randomQuery(random, 1)] : [];
    if (![query, ...filters].every(isPlain)) continue;
    const wanted = expected([query, ...filters]).sort();
    const label = JSON.stringify({ query, filters });
    const whole = await search({ query, filters });
    expect(whole.numFound, label).toBe(wanted.length);
    expect(keysOf(whole).sort(), label).toEqual(wanted);
    const half = Math.ceil(wanted.length / 2) + 1;
    const pages = [
      await search({ query, filters, rows: half }),
      await search({ query, filters, start: half, rows: half }),
    ];
    expect(pages.flatMap(keysOf), label).toEqual(keysOf(whole));
  }
}, 120_000);

it("edition clauses are met by one edition", async () => {
  let found = 0;
  for (let turn = 0; turn < QUERIES; turn += 1) {
    const editionClauses = Array.from({ length: 1 + random.below(3) }, () => randomEditionLeaf(random));
    // Clauses that readers type apply to works too; `edition.` clauses do not.
    const filters = random.chance(0.6) ? editionClauses : [];
    const query = random.chance(0.5) ? ALL : randomQuery(random, 1);
    if (!isPlain(query)) continue;
    const wanted = expected([query, ...filters], editionClauses);
    const isTitleAlone = editionClauses.length === 1 && filters.length > 0;
    if (isTitleAlone) continue;
    const hits = await search({ query, filters, editionClauses });
    expect(keysOf(hits).sort(), JSON.stringify({ query, filters, editionClauses })).toEqual(wanted.sort());
    if (wanted.length > 0 && wanted.length < WORKS) found += 1;
  }
  expect(found).toBeGreaterThan(QUERIES / 4);
}, 120_000);

it("a clause of works and editions uses the work's own row", async () => {
  const clause: Query = { op: "match", field: "title", value: { kind: "word", text: "river" }, boost: 1 };
  const hits = await search({ filters: [clause], editionClauses: [clause] });
  expect(keysOf(hits).sort()).toEqual(expected([clause]).sort());
});

it("results are limited to a list of keys of any length", async () => {
  const query = randomQuery(random, 1);
  for (const keys of [
    ["/works/OL3W"],
    works.slice(0, 150).map(({ key }) => key),
    Array.from({ length: 3000 }, (_e, n) => `/works/OL${n + 1}W`),
  ]) {
    const hits = await search({ keys: [...keys, "/works/none", keys[0]!] });
    expect(keysOf(hits).sort()).toEqual(keys.filter((key) => works.some((work) => work.key === key)).sort());
    const some = await search({ query, keys });
    expect(keysOf(some).sort()).toEqual(
      expected([query])
        .filter((key) => keys.includes(key))
        .sort(),
    );
  }
});

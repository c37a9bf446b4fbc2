import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { CANDIDATES_MAX, searchWorks } from "../../../src/search/engine/search-works.ts";
import {
  popularityScoreOf,
  sortableRatingOf,
  countReaders,
} from "../../../src/search/documents/popularity.ts";
import type { WorkDocument } from "../../../src/search/documents/types.ts";
import {
  type Sort,
  type SearchResult,
  type SearchRequest,
  WINDOW_WORKS_MAX,
} from "../../../src/search/engine.ts";
import { type Query, ALL, equals } from "../../../src/search/query/query.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { randomWorks } from "../../support/worker/random-works.ts";

const WORKS = 500;
const FIRST_NAMED = 10_001;
const works = [...randomWorks(randomFrom(3), WORKS), ...namedWorks()];
const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;
const LANGUAGE = equals("language", "ger");

/** Works that all have one word in their title, and one of them has nothing else. */
function namedWorks(): WorkDocument[] {
  const named = Array.from({ length: 300 }, (_empty, place) =>
    testWork({
      number: FIRST_NAMED + place,
      members: { title: `Dune of desert number ${place}` },
      editions: [{ title: "x" }],
      counts: { wantToRead: place % 20 },
    }),
  );
  const exact = testWork({ number: 20_000, members: { title: "The Dune" } });
  const phrase = testWork({ number: 20_001, members: { title: "Seen from desert dune" } });
  const bySubject = testWork({
    number: 20_002,
    members: { title: "Else", subjects: ["Dune"] },
    counts: { wantToRead: 9999, alreadyRead: 99 },
  });
  return [...named, exact, phrase, bySubject];
}

beforeAll(async () => {
  await applyTo("a", { works: works.map((work) => at(1, work)) });
});

function search(options: Partial<SearchRequest>): Promise<SearchResult> {
  const whole: SearchRequest = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 1000,
    withEditions: false,
    ...options,
  };
  return searchWorks(createWorkSource(index), whole);
}

const words = (...texts: string[]): Query => ({
  op: "and",
  of: texts.map((text) => ({ op: "match", field: null, value: { kind: "word", text }, boost: 1 })),
});
const keysOf = ({ documents }: SearchResult): unknown[] => documents.map((document) => document["key"]);
const idOf = ({ key }: WorkDocument): number => Number(/\d+/.exec(key)?.[0]);
const text = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const last = "\u{10FFFF}";

type Compare = (one: WorkDocument, other: WorkDocument) => number;
const SORTS: [Sort, Compare][] = [
  [{ field: "edition_count", descending: true }, (a, b) => b.edition_count - a.edition_count],
  [
    { field: "first_publish_year", descending: false },
    (a, b) => (a.first_publish_year ?? 9999) - (b.first_publish_year ?? 9999),
  ],
  [
    { field: "first_publish_year", descending: true },
    (a, b) => (b.first_publish_year ?? -1) - (a.first_publish_year ?? -1),
  ],
  [
    { field: "ratings_sortable", descending: true },
    (a, b) => sortableRatingOf(b.counts.ratings) - sortableRatingOf(a.counts.ratings),
  ],
  [
    { field: "ratings_sortable", descending: false },
    (a, b) => sortableRatingOf(a.counts.ratings) - sortableRatingOf(b.counts.ratings),
  ],
  [
    { field: "readinglog_count", descending: true },
    (a, b) => countReaders(b.counts) - countReaders(a.counts),
  ],
  [
    { field: "title_sort", descending: false },
    (a, b) => text(a.title_sort.toLowerCase(), b.title_sort.toLowerCase()),
  ],
  [{ field: "ebook_count_i", descending: true }, (a, b) => b.ebook_count_i - a.ebook_count_i],
  [{ field: "lcc_sort", descending: false }, (a, b) => text(a.lcc_sort ?? last, b.lcc_sort ?? last)],
  [{ field: "lcc_sort", descending: true }, (a, b) => text(b.lcc_sort ?? "", a.lcc_sort ?? "")],
  [{ field: "osp_count", descending: false }, (a, b) => (a.osp_count ?? 0) - (b.osp_count ?? 0)],
  [{ field: "key", descending: false }, (a, b) => text(a.key, b.key)],
  [{ field: "key", descending: true }, (a, b) => text(b.key, a.key)],
];

describe.each(SORTS)("sorted by %o", (sort, compare) => {
  it.each([[[]], [[LANGUAGE]]])("orders all works and those of a filter: %o", async (filters: Query[]) => {
    const hits = await search({ filters, sort: [sort] });
    const wanted = works.filter((work) => filters.length === 0 || work.language?.includes("ger"));
    expect(hits.numFound).toBe(wanted.length);
    const found = new Map(works.map((work) => [work.key, work]));
    const documents = keysOf(hits).map((key) => found.get(String(key))!);
    if (sort.field === "title_sort") expect(documents).toHaveLength(wanted.length);
    else {
      const ordered = wanted.toSorted((a, b) => compare(a, b) || idOf(a) - idOf(b));
      expect(documents.map(({ key }) => key)).toEqual(ordered.map(({ key }) => key));
    }
  });
});

it("a second sort key orders equal works", async () => {
  const sort = [
    { field: "edition_count", descending: true },
    { field: "first_publish_year", descending: true },
  ];
  const ordered = works.toSorted(
    (a, b) =>
      b.edition_count - a.edition_count ||
      (b.first_publish_year ?? -1) - (a.first_publish_year ?? -1) ||
      idOf(a) - idOf(b),
  );
  expect(keysOf(await search({ sort }))).toEqual(ordered.map(({ key }) => key));
});

it("random sorts are stable for a seed, reversible and pageable", async () => {
  const random = (seed: string, descending = false): Sort[] => [{ field: "random", descending, seed }];
  const one = keysOf(await search({ sort: random("1") }));
  expect(new Set(one).size).toBe(works.length);
  expect(keysOf(await search({ sort: random("1") }))).toEqual(one);
  expect(keysOf(await search({ sort: random("1", true) }))).toEqual(one.toReversed());
  expect(keysOf(await search({ sort: random("2") }))).not.toEqual(one);
  const page = await search({ sort: random("1"), start: 100, rows: 50 });
  expect(keysOf(page)).toEqual(one.slice(100, 150));
});

it("works without matching words are sorted by popularity", async () => {
  const wanted = works.filter((work) => work.language?.includes("ger"));
  const ordered = wanted.toSorted((a, b) => popularityScoreOf(b) - popularityScoreOf(a) || idOf(a) - idOf(b));
  const keys = ordered.map(({ key }) => key);
  expect(keysOf(await search({ filters: [LANGUAGE] }))).toEqual(keys);
  expect(keysOf(await search({ filters: [LANGUAGE], start: 7, rows: 20 }))).toEqual(keys.slice(7, 27));
});

it("an exact title precedes more popular works", async () => {
  const hits = await search({ query: words("dune") });
  expect(hits.numFound).toBe(303);
  expect(keysOf(hits)[0]).toBe("/works/OL20000W");
});

it("words in the title precede words in subjects", async () => {
  const keys = keysOf(await search({ query: words("dune"), rows: 400 }));
  expect(keys.indexOf("/works/OL20002W")).toBeGreaterThan(100);
});

it("phrase matches are candidates", async () => {
  const keys = keysOf(await search({ query: words("desert", "dune") }));
  expect(keys).toHaveLength(301);
  expect(keys.indexOf("/works/OL20001W")).toBeLessThanOrEqual(CANDIDATES_MAX);
});

it("pages equal the whole result", async () => {
  const query = words("dune");
  const whole = keysOf(await search({ query, rows: 303 }));
  expect(new Set(whole).size).toBe(303);
  const pages = [];
  for (let start = 0; start < 310; start += 31)
    pages.push(...keysOf(await search({ query, start, rows: 31 })));
  expect(pages).toEqual(whole);
});

it("counts are returned without rows and beyond the window", async () => {
  expect(await search({ query: words("dune"), rows: 0 })).toMatchObject({ numFound: 303, documents: [] });
  const beyond = await search({ query: words("dune"), start: WINDOW_WORKS_MAX, rows: 1 });
  expect(beyond).toMatchObject({ numFound: 303, documents: [] });
  expect(await search({ query: { op: "none" } })).toMatchObject({ numFound: 0, numFoundExact: true });
  const keys = works.map(({ key }) => key);
  const whole = { query: words("dune"), keys, rows: WINDOW_WORKS_MAX + 1 };
  expect(keysOf(await search(whole))).toEqual([]);
  const found = keysOf(await search({ ...whole, window: WINDOW_WORKS_MAX + 1 }));
  expect(found).toEqual(keysOf(await search({ ...whole, rows: 303 })));
});

it("editions are returned by number", async () => {
  const hits = await search({
    rows: 100,
    withEditions: true,
    sort: [{ field: "edition_count", descending: true }],
  });
  expect(hits.editions[0]?.length).toBeGreaterThan(1);
  const wanted = hits.documents.map((document) => (document["edition_key"] as string[] | undefined) ?? []);
  const found = hits.editions.map((editions) =>
    editions.map(({ key }) => String(key).slice("/books/".length)),
  );
  expect(found).toEqual(wanted);
});

it("wildcards expand inside words and values", async () => {
  const pattern = (field: string | null, parts: string[]): Query => ({
    op: "match",
    field,
    value: { kind: "pattern", parts },
    boost: 1,
  });
  expect((await search({ query: pattern(null, ["", "uune"]) })).numFound).toBe(0);
  expect((await search({ query: pattern("alternative_title", ["d", "ne"]) })).numFound).toBe(302);
  expect((await search({ query: pattern(null, ["", "dun", ""]) })).numFound).toBe(303);
  expect((await search({ query: pattern("subject_key", ["", "un", ""]) })).numFound).toBe(1);
  expect((await search({ query: pattern(null, ["d", "e"]) })).numFound).toBe(0);
});

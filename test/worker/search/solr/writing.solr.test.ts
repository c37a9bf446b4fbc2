import { beforeEach, describe, expect, it } from "vitest";
import { readIndexState } from "../../../../src/db/indexing/index-state.ts";
import type { Update } from "../../../../src/search/engine.ts";
import { type WorkCounts, NO_COUNTS } from "../../../../src/search/documents/types.ts";
import { equals } from "../../../../src/search/query/query.ts";
import { beginRebuild, rebuildStep } from "../../../../src/worker/indexing/rebuild.ts";
import { NOTES, indexAll, testIndexing } from "../../../support/worker/indexing.ts";
import { at, testWork } from "../../../support/worker/index-documents.ts";
import { author, deleted, edition, work } from "../../../support/worker/records.ts";
import { randomFrom } from "../../../support/worker/random.ts";
import { testService } from "../../../support/worker/service.ts";
import { SOLR, solrEngine, solrIndex } from "../../../support/worker/solr.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

beforeEach(emptyStores);

const NOTHING: Update = { works: [], authors: [], lists: [], deletes: [] };
const engine = solrEngine("a");
const index = solrIndex("a");
const apply = (update: Partial<Update>) => index.apply({ ...NOTHING, ...update });

async function titles(): Promise<unknown[]> {
  const found = await engine.getMany(["/works/OL1W", "/works/OL2W"]);
  return found.map(({ title }) => title);
}

const titled = (number: number, title: string, subjects: string[] = []) =>
  testWork({ number, authors: [1], members: { title, subjects }, editions: [{ title }] });

it("merge combines segments", async () => {
  const segments = async (): Promise<unknown> => {
    const answer = await fetch(`${SOLR.url}/${SOLR.collection}_a/admin/luke?numTerms=0&wt=json`);
    return Object(await answer.json()).index.segmentCount;
  };
  for (const number of [1, 2, 3]) await apply({ works: [at(number, titled(number, `Title ${number}`))] });
  expect(await segments()).toBeGreaterThan(1);
  expect(await index.merge("nightly", 0)).toBeUndefined();
  expect(await segments()).toBeGreaterThan(1);
  expect(await index.merge("whole", 0)).toBeUndefined();
  expect(await segments()).toBe(1);
  expect(await titles()).toEqual(["Title 1", "Title 2"]);
});

describe("documents", () => {
  it("are never replaced by older versions or restored after deletion", async () => {
    await apply({ works: [at(5, titled(1, "Five"))] });
    await apply({ works: [at(4, titled(1, "Four"))] });
    expect(await titles()).toEqual(["Five"]);
    await apply({ works: [at(5, titled(1, "Five again"))] });
    expect(await titles()).toEqual(["Five again"]);
    await apply({ deletes: [{ key: "/works/OL1W", version: 4 }] });
    expect(await titles()).toEqual(["Five again"]);
    await apply({ deletes: [{ key: "/works/OL1W", version: 6 }] });
    await apply({ works: [at(5, titled(1, "Five at last"))] });
    expect(await titles()).toEqual([]);
    expect((await engine.health()).documents.work).toBe(0);
    const hits = await engine.editions({
      query: equals("title", "five"),
      filters: [],
      sort: [],
      start: 0,
      rows: 9,
    });
    expect(hits.numFound).toBe(0);
    await apply({ works: [at(7, titled(1, "Seven"))] });
    expect(await titles()).toEqual(["Seven"]);
  });

  it("are equal in any order of updates", async () => {
    const random = randomFrom(5);
    const updates = [1, 2, 3, 4, 5, 6].map((version): Partial<Update> => {
      const number = 1 + (version % 2);
      if (version === 3) return { deletes: [{ key: `/works/OL${number}W`, version }] };
      return { works: [at(version, titled(number, `Version ${version}`, [`Cats`, `Of ${version}`]))] };
    });
    await apply({ authors: [at(1, { key: "/authors/OL1A", type: "author", name: "Ann" })] });
    for (const update of random.shuffled([...updates, ...updates])) await apply(update);
    expect(await titles()).toEqual(["Version 6", "Version 5"]);
    const subjects = await engine.subjects({
      query: equals("subject_type", "subject"),
      filters: [],
      sort: [],
      start: 0,
      rows: 9,
    });
    expect(subjects.documents.map(({ name, work_count }) => [name, work_count]).sort()).toEqual([
      ["Cats", 2],
      ["Of 5", 1],
      ["Of 6", 1],
    ]);
    expect(await engine.getMany(["/authors/OL1A"])).toMatchObject([{ name: "Ann", work_count: 2 }]);
  });

  it("are written whole by concurrent updates", async () => {
    const works = Array.from({ length: 20 }, (_empty, place) => place + 1);
    const update = (version: number) =>
      apply({ works: works.map((number) => at(version, titled(number, `V${version}`))) });
    await Promise.all([update(1), update(2), update(3)]);
    expect(await titles()).toEqual(["V3", "V3"]);
    expect((await engine.health()).documents.work).toBe(20);
  });

  it("forget deletions after a time", async () => {
    const old = solrIndex("a", Date.parse("2026-01-01"));
    await old.apply({ ...NOTHING, deletes: [{ key: "/works/OL1W", version: 9 }] });
    await index.dropTombstones("2026-01-01T00:00:00.000Z");
    await apply({ works: [at(5, titled(1, "Five"))] });
    expect(await titles()).toEqual([]);
    await index.dropTombstones("2026-01-01T00:00:01.000Z");
    await apply({ works: [at(5, titled(1, "Five"))] });
    expect(await titles()).toEqual(["Five"]);
  });
});

describe("counts", () => {
  const counts: WorkCounts = { ...NO_COUNTS, ratings: [0, 0, 0, 1, 3], alreadyRead: 40 };

  it("are set in place and survive a new version", async () => {
    await apply({ works: [at(1, titled(1, "One")), at(1, titled(2, "Two"))] });
    const patches = [
      { id: 1, counts },
      { id: 99, counts },
    ];
    // The first rating changes the scores of the editions, which are not written in place.
    expect(await index.patchCounts(patches)).toEqual([1]);
    expect(await index.patchCounts(patches)).toEqual([]);
    const slots = {
      hourly: Array.from({ length: 24 }, (_empty, hour) => hour),
      daily: [1, 2, 3, 4, 5, 6, 7],
    };
    await index.patchTrending([{ id: 1, trending: { hourlySum: 7, zScore: 2.5, slots } }]);
    const expected = {
      title: "One",
      ratings_count: 4,
      already_read_count: 40,
      trending_score_hourly_sum: 7,
      trending_z_score: 2.5,
      trending_score_hourly_23: 23,
    };
    expect(await engine.getMany(["/works/OL1W"])).toMatchObject([expected]);
    const first = await engine.works({
      query: equals("author_key", "OL1A"),
      filters: [],
      editionClauses: [],
      sort: [{ field: "score", descending: true }],
      start: 0,
      rows: 1,
      withEditions: true,
    });
    expect(first.documents).toMatchObject([expected]);
    expect(first.editions[0]).toHaveLength(1);
    await apply({ works: [at(2, titled(1, "One"))] });
    expect(await engine.getMany(["/works/OL1W"])).toMatchObject([
      { trending_z_score: 2.5, ratings_count: 0 },
    ]);
    await solrIndex("b").apply({ ...NOTHING, works: [at(2, titled(1, "One"))] });
    expect(await solrEngine("b").getMany(["/works/OL1W"])).toMatchObject([{ trending_z_score: 2.5 }]);
  });
});

describe("an index that follows the log", () => {
  const service = testService();
  const found = async (query: string): Promise<unknown[]> =>
    Object(await service.json(`/search.json?q=${query}&fields=key`)).docs.map(
      ({ key }: { key: string }) => key,
    );

  it("has all changes, and is rebuilt without a gap", async () => {
    await service.load(
      author(1, { name: "Ann" }),
      work(1, { title: "Cats", authors: [1], subjects: ["Pets"] }),
      work(2, { title: "Dogs", subjects: ["Pets"] }),
      edition(1, { work: 1 }),
      edition(9, { title: "Alone" }),
    );
    await indexAll();
    expect([await found("cats"), await found("ann"), await found("alone")]).toEqual([
      ["/works/OL1W"],
      ["/works/OL1W"],
      ["/works/OL9M"],
    ]);
    await service.load(author(1, { name: "Beth" }), deleted("/works/OL2W", 2));
    await indexAll();
    expect([await found("ann"), await found("beth"), await found("dogs")]).toEqual([[], ["/works/OL1W"], []]);
    const before = await service.json("/search.json?q=*:*&fields=*");
    await beginRebuild(testIndexing());
    await service.load(work(3, { title: "Birds", subjects: ["Pets"] }));
    const state = await rebuildStep(testIndexing(), 60_000);
    await indexAll();
    expect([state.live, state.phase]).toEqual(["b", null]);
    expect((await readIndexState(NOTES)).live).toBe("b");
    const later = testService();
    later.now += 60_000;
    expect(Object(await later.json("/search.json?q=birds")).numFound).toBe(1);
    const after = Object(await later.json("/search.json?q=*:* NOT birds&fields=*"));
    expect({ ...after, q: "*:*" }).toEqual({ ...Object(before), q: "*:*" });
    const { documents } = await solrEngine("b").health();
    expect(documents).toEqual({ work: 3, author: 1, subject: 1, list: 0 });
    await indexAll(testIndexing({ now: () => Date.now() + 61_000 }));
    expect((await solrEngine("a").health()).documents.work).toBe(0);
  });

  it("finds and repairs differences", async () => {
    await service.load(work(1, { title: "Cats" }), work(2, { title: "Dogs" }), edition(1, { work: 1 }));
    await indexAll();
    await apply({ works: [at(999, titled(1, "Wrong")), at(999, titled(7, "Stray"))] });
    expect(await found("stray")).toEqual(["/works/OL7W"]);
    const works = [at(1000, titled(1, "Wrong")), at(1000, titled(2, "Dogs"))];
    expect((await index.differing(works)).map(({ document }) => document.key)).toEqual(["/works/OL2W"]);
    expect(await index.worksBetween({ from: 2, to: 99 })).toEqual([2, 7]);
    const { works: present } = await index.lookUp({ editions: [], works: [1, 3, 7], names: [] });
    expect(present).toEqual([1, 7]);
    const shown = { code: "ak", values: ["OL9A", "OL1A", "OL8A"], limit: 9 } as const;
    expect(await index.worksShowing({ ...shown, after: 0 })).toEqual([1, 7]);
    expect(await index.worksShowing({ ...shown, after: 1 })).toEqual([7]);
  });
});

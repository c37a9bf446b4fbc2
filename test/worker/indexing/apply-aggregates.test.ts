import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { patchCounts, patchTrending } from "../../../src/db/indexing/patch-works.ts";
import { rebuildSubjects } from "../../../src/db/indexing/subjects.ts";
import { clearStep } from "../../../src/db/indexing/upkeep.ts";
import { readHealth } from "../../../src/db/search/embedded-engine.ts";
import { popularityScoreOf, sortableRatingOf } from "../../../src/search/documents/popularity.ts";
import { type AuthorDocument, type ListDocument, NO_COUNTS } from "../../../src/search/documents/types.ts";
import { toFilterToken, quoteTokenPhrase } from "../../../src/search/indexing/filter-token.ts";
import {
  applyTo,
  at,
  clearGeneration,
  matches,
  searchRows,
  testWork,
} from "../../support/worker/index-documents.ts";

const ANNA: AuthorDocument = { key: "/authors/OL3A", type: "author", name: "Anna Ångström" };

beforeEach(async () => {
  await clearGeneration("a");
});

async function author(id: number): Promise<unknown> {
  const [row] = await searchRows<{ document: string }>("SELECT document FROM author_a WHERE id = ?1", id);
  return row === undefined ? undefined : JSON.parse(row.document);
}

function subjects(): Promise<unknown[]> {
  return searchRows(
    "SELECT key, name, subject_type AS type, work_count AS works FROM subject_a ORDER BY key",
  );
}

it("updates the totals of an author with every change of a work", async () => {
  const one = testWork({
    number: 1,
    members: { title: "Small", subjects: ["B", "A"], subject_places: ["Here"] },
    editions: [{}],
    authors: [3],
    counts: { ratings: [1, 0, 0, 0, 2], wantToRead: 5 },
  });
  const two = testWork({
    number: 2,
    members: { title: "Large", subtitle: "Part", subjects: ["B"] },
    editions: [{}, {}],
    authors: [3],
    counts: { alreadyRead: 1 },
  });
  await applyTo("a", { works: [at(1, one), at(1, two)], authors: [at(1, ANNA)] });
  expect(await author(3)).toEqual({
    ...ANNA,
    work_count: 2,
    top_work: "Large: Part",
    top_subjects: ["B", "Here", "A"],
    counts: {
      ratings: [1, 0, 0, 0, 2],
      wantToRead: 5,
      currentlyReading: 0,
      alreadyRead: 1,
      stoppedReading: 0,
    },
  });
  expect(await matches("author_text_a", 'name:"angstrom"')).toEqual([3]);
  expect(await matches("author_text_a", quoteTokenPhrase(toFilterToken("k", "OL3A")))).toEqual([3]);

  await applyTo("a", { works: [at(2, testWork({ number: 2, authors: [4] }))] });
  expect(await author(3)).toMatchObject({ work_count: 1, top_work: "Small" });
  await applyTo("a", { deletes: [{ key: "/works/OL1W", version: 2 }] });
  expect(await author(3)).toEqual({
    ...ANNA,
    work_count: 0,
    top_subjects: [],
    counts: NO_COUNTS,
  });
});

it("ignores older versions of authors, and deletes authors", async () => {
  await applyTo("a", { authors: [at(5, ANNA)] });
  await applyTo("a", { authors: [at(4, { ...ANNA, name: "Old" })] });
  expect(await author(3)).toMatchObject({ name: "Anna Ångström" });
  await applyTo("a", { deletes: [{ key: "/authors/OL3A", version: 6 }] });
  await applyTo("a", { authors: [at(5, ANNA)] });
  expect(await author(3)).toBeUndefined();
  expect(await matches("author_text_a", 'name:"anna"')).toEqual([]);
});

it("counts subjects under their most frequent spelling, and removes subjects without works", async () => {
  const about = (number: number, ...names: string[]) => testWork({ number, members: { subjects: names } });
  await applyTo("a", { works: [at(1, about(1, "cats", "Dogs")), at(1, about(2, "Cats"))] });
  // As frequent: the first one in the order of texts.
  expect(await subjects()).toEqual([
    { key: "/subjects/cats", name: "Cats", type: "subject", works: 2 },
    { key: "/subjects/dogs", name: "Dogs", type: "subject", works: 1 },
  ]);
  await applyTo("a", { works: [at(2, about(2, "cats"))] });
  await applyTo("a", { works: [at(2, about(1, "cats"))] });
  expect(await subjects()).toEqual([{ key: "/subjects/cats", name: "cats", type: "subject", works: 2 }]);
  expect(await matches("subject_text_a", 'name:"cat"')).toHaveLength(1);
  expect(await matches("subject_text_a", 'name:"dog"')).toEqual([]);
  expect(await matches("subject_text_a", quoteTokenPhrase("ty=subject"))).toHaveLength(1);
});

it("makes the same subjects in a rebuild", async () => {
  const works = [
    testWork({ number: 1, members: { subjects: ["Cats", "cats (N.Y.)"], subject_people: ["Cats"] } }),
    testWork({ number: 2, members: { subjects: ["cats"], subject_places: ["Paris", "paris"] } }),
    testWork({ number: 3, members: { subjects: ["cats"], subject_times: ["1900", "--", "年"] } }),
  ].map((document) => at(1, document));
  await applyTo("a", { works });
  const live = await subjects();
  expect(live).toContainEqual({ key: "/subjects/cats", name: "cats", type: "subject", works: 3 });
  expect(live).toContainEqual({ key: "/subjects/place:paris", name: "Paris", type: "place", works: 1 });

  await clearGeneration("a");
  await applyTo("a", { works }, { aggregates: false });
  expect(await subjects()).toEqual([]);
  let steps = 1;
  while (!(await rebuildSubjects(env.SEARCH, "a"))) steps += 1;
  expect(steps).toBe(5);
  expect(await subjects()).toEqual(live);
});

it("gives lists the subjects of their works, editions and authors", async () => {
  const list: ListDocument = {
    key: "/people/ann/lists/OL1L",
    type: "list",
    list_type: "user_list",
    name: "Running",
    seed: ["/works/OL1W", "/books/OL200M", "/authors/OL9A", "/subjects/dogs", "subject:x"],
    seed_count: 5,
    last_modified: "2026-01-01T00:00:00.000000Z",
  };
  const works = [
    testWork({ number: 1, members: { subjects: ["Cats"] } }),
    testWork({ number: 2, members: { subjects: ["Cats"], subject_places: ["Rome"] }, editions: [{}] }),
    testWork({ number: 3, members: { subjects: ["Dogs"] }, authors: [9] }),
    testWork({ number: 4, members: { subjects: ["Other"] } }),
  ].map((document) => at(1, document));
  await applyTo("a", { works, lists: [at(1, list)] });
  const [row] = await searchRows<{ document: string }>("SELECT document FROM list_a");
  expect(JSON.parse(row?.document ?? "")).toEqual({ ...list, subject: ["Cats", "Dogs"], place: ["Rome"] });
  for (const token of [
    toFilterToken("s", "/works/OL1W"),
    "sk=cats",
    "lk=rome",
    toFilterToken("lt", "user_list"),
  ]) {
    expect(await matches("list_text_a", quoteTokenPhrase(token)), token).toHaveLength(1);
  }
  await applyTo("a", { lists: [at(2, { ...list, name: "Walking", seed: [] })] });
  expect(await matches("list_text_a", 'name:"run"')).toEqual([]);
  expect(await matches("list_text_a", 'name:"walk"')).toHaveLength(1);
  await applyTo("a", { deletes: [{ key: list.key, version: 3 }], lists: [] });
  await applyTo("a", { lists: [at(2, list)] });
  expect((await readHealth(env.SEARCH, "a")).documents.list).toBe(0);
});

it("patches counts in place, and returns works whose popularity changes", async () => {
  await applyTo("a", { works: [1, 2].map((number) => at(1, testWork({ number, editions: [{}] }))) });
  const small = { ...NO_COUNTS, ratings: [0, 0, 0, 0, 1] } as const;
  const great = { ...NO_COUNTS, alreadyRead: 50 };
  const patches = [
    { id: 1, counts: small },
    { id: 2, counts: great },
    { id: 3, counts: great },
  ];
  expect(await patchCounts({ database: env.SEARCH, generation: "a", prefix: "OL" }, patches)).toEqual([2]);
  expect(
    await searchRows("SELECT boost, ratings, ratings_sortable AS sort, already_read_count AS n FROM work_a"),
  ).toEqual([
    {
      boost: popularityScoreOf({ edition_count: 1, counts: small }),
      ratings: "[0,0,0,0,1]",
      sort: sortableRatingOf(small.ratings),
      n: 0,
    },
    {
      boost: popularityScoreOf({ edition_count: 1, counts: NO_COUNTS }),
      ratings: null,
      sort: sortableRatingOf([0, 0, 0, 0, 0]),
      n: 50,
    },
  ]);
  const slots = { hourly: [3], daily: [] };
  await patchTrending(env.SEARCH, "a", [{ id: 1, trending: { hourlySum: 3, zScore: -0.5, slots } }]);
  expect(
    await searchRows(
      "SELECT trending_score_hourly_sum AS sum, trending_z_score AS z, trending FROM work_a WHERE id = 1",
    ),
  ).toEqual([{ sum: 3, z: -0.5, trending: JSON.stringify(slots) }]);
});

it("empties a generation step by step", async () => {
  const update = {
    works: [at(1, testWork({ number: 1, editions: [{}], authors: [3] }))],
    authors: [at(1, ANNA)],
  };
  await applyTo("a", update);
  await applyTo("b", update);
  let steps = 1;
  while (!(await clearStep(env.SEARCH, "b"))) steps += 1;
  expect(steps).toBeGreaterThan(5);
  expect((await readHealth(env.SEARCH, "b")).documents).toEqual({ work: 0, author: 0, subject: 0, list: 0 });
  expect((await readHealth(env.SEARCH, "a")).documents).toEqual({ work: 1, author: 1, subject: 0, list: 0 });
  expect(await matches("work_text_b", quoteTokenPhrase("ea=0"))).toEqual([]);
  expect(await clearStep(env.SEARCH, "b")).toBe(true);
});

it("does not empty the live generation", async () => {
  await applyTo("a", { works: [at(1, testWork({ number: 1 }))] });
  expect(await clearStep(env.SEARCH, "a")).toBe(true);
  expect((await readHealth(env.SEARCH, "a")).documents.work).toBe(1);
  expect(await matches("work_text_a", quoteTokenPhrase("ea=0"))).toEqual([1]);
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createCompletionSource } from "../../../src/db/search/complete-sql.ts";
import { completeText } from "../../../src/search/engine/complete-text.ts";
import { countPackedFacets } from "../../../src/db/search/packed-facets.ts";
import { planIndexSearch } from "../../../src/db/search/selection.ts";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { searchWorks } from "../../../src/search/engine/search-works.ts";
import { popularityScoreOf } from "../../../src/search/documents/popularity.ts";
import type { WorkDocument } from "../../../src/search/documents/types.ts";
import type { Mark, SearchResult, SearchRequest } from "../../../src/search/engine.ts";
import { WORK_TEXT_COLUMNS } from "../../../src/search/indexing/columns.ts";
import { toWorkRows } from "../../../src/search/indexing/work-rows.ts";
import { DEFAULT_FIELDS } from "../../../src/search/present/selected-fields.ts";
import { type Query, ALL } from "../../../src/search/query/query.ts";
import { applyTo, at, matches, searchRows, testWork } from "../../support/worker/index-documents.ts";
import { measured } from "../../support/worker/measured.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

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
    members: { title: "Sea", subjects: [`Coast ${place % 7}`] },
    editions: Array.from({ length: editions }, () => ({ title: "x", ...dated })),
    counts: place % 9 === 0 ? { wantToRead: place % 77 } : {},
  });
}

/** Gives the texts of every third work the row that they had before rows went by popularity, and takes what they are shown by. */
async function putOldRows(): Promise<void> {
  const columns = [...WORK_TEXT_COLUMNS.map(({ name }) => name), "token"];
  const insert = `INSERT INTO work_text_a (rowid, ${columns.join(", ")})
    VALUES (?1, ${columns.map((_name, place) => `?${place + 2}`).join(", ")})`;
  const old = works.filter((_work, place) => place % 3 === 1);
  await env.SEARCH.batch(
    old.flatMap((work) => {
      const { id, textRow, texts } = toWorkRows(work, { id: idOf(work), version: 1, prefix: "OL" });
      return [
        env.SEARCH.prepare("DELETE FROM work_text_a WHERE rowid = ?1").bind(textRow),
        env.SEARCH.prepare("UPDATE work_a SET text_row = NULL WHERE id = ?1").bind(id),
        env.SEARCH.prepare("UPDATE work_facet_a SET id = ?2 WHERE id = ?1").bind(textRow, id),
        env.SEARCH.prepare(insert).bind(id, ...texts),
        env.SEARCH.prepare("UPDATE work_ranking_a SET brief = NULL WHERE id = ?1").bind(id),
      ];
    }),
  );
}

function search(options: Partial<SearchRequest>): Promise<SearchResult> {
  const page = { sort: [], start: 0, rows: 1000, withEditions: false };
  return searchWorks(createWorkSource(index), {
    query: ALL,
    filters: MANY,
    editionClauses: [],
    ...page,
    ...options,
  });
}

beforeAll(async () => {
  await applyTo("a", { works: works.map((work) => at(1, work)) });
}, 120_000);

const idOf = ({ key }: WorkDocument): number => Number(/\d+/.exec(key)?.[0]);
const keysOf = ({ documents }: SearchResult): unknown[] => documents.map((document) => document["key"]);
const byPopularity = (a: WorkDocument, b: WorkDocument): number =>
  popularityScoreOf(b) - popularityScoreOf(a) || idOf(a) - idOf(b);

function ordered(compare: (a: WorkDocument, b: WorkDocument) => number): string[] {
  return works.toSorted((a, b) => compare(a, b) || idOf(a) - idOf(b)).map(({ key }) => key);
}

describe.each([
  ["all rows go by popularity", () => Promise.resolve(), 0],
  ["every third row is from before", putOldRows, 467],
  ["all have been written again", () => applyTo("a", { works: works.map((work) => at(2, work)) }), 0],
])("while %s", (_state, prepare, old) => {
  beforeAll(prepare, 120_000);

  it("sorts by popularity from any offset", async () => {
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

  it("sorts by number of editions from any offset in one round trip", async () => {
    const keys = ordered((a, b) => b.edition_count - a.edition_count);
    for (const [start, rows] of [
      [0, 12],
      [60, 12],
      [130, 20],
      [940, 20],
      [988, 12],
      [1390, 12],
    ] as const) {
      counted.statements.length = 0;
      const hits = await search({ sort: [{ field: "edition_count", descending: true }], start, rows });
      expect(roundTrips(counted)).toBe(1);
      expect(hits.numFound).toBe(WORKS);
      expect(keysOf(hits), `${start}`).toEqual(keys.slice(start, start + rows));
    }
  });

  it("sorts by year from any offset in one round trip", async () => {
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

  it("ranks the most popular works by relevance, and appends the others", async () => {
    // All have the same title: nothing but their popularity tells them apart.
    const keys = ordered(byPopularity);
    const whole = keysOf(await search({ query: SEA, filters: [] }));
    expect(whole).toEqual(keys.slice(0, 1000));
    counted.statements.length = 0;
    const page = await search({ query: SEA, filters: [], start: 150, rows: 40, fields: DEFAULT_FIELDS });
    expect(keysOf(page)).toEqual(keys.slice(150, 190));
    expect(roundTrips(counted)).toBe(old === 0 ? 1 : 2);
    expect(keysOf(await search({ query: SEA, filters: [], start: 150, rows: 100 }))).toEqual(
      keys.slice(150, 250),
    );
  });

  it("walks by number in both directions", async () => {
    const keys = ordered(() => 0);
    for (const descending of [false, true]) {
      const walked: unknown[] = [];
      let after: Mark | undefined = [];
      while (after !== undefined) {
        const hits: SearchResult = await search({ sort: [{ field: "key", descending }], rows: 333, after });
        if (walked.length === 0) expect(hits.numFound).toBe(WORKS);
        walked.push(...keysOf(hits));
        after = hits.mark;
      }
      expect(walked).toEqual(descending ? keys.toReversed() : keys);
    }
  });

  it("filters by keys", async () => {
    const some = [1381, 3, 1, 700, 8, 4, 11].map((number) => `/works/OL${number}W`);
    const hits = await search({ keys: some });
    expect(keysOf(hits)).toEqual(ordered(byPopularity).filter((key) => some.includes(key)));
  });

  it("counts facets in parts", async () => {
    const { all } = await planIndexSearch(index, { query: ALL, filters: MANY, editionClauses: [] });
    if (all === undefined) throw new Error("no selection");
    const requests = [{ field: "subject_facet", limit: 50, sort: "count", offset: 0, mincount: 1 } as const];
    const counts = await countPackedFacets(index, all, { requests, fewMax: 100, bytesMax: 3000 });
    const few = await countPackedFacets(index, all, { requests });
    expect(counts).toEqual(few);
    expect(counts.numFound).toBe(WORKS);
    const values = counts.fields["subject_facet"] ?? [];
    expect(values.map(({ count }) => count)).toEqual(Array.from({ length: 7 }, () => WORKS / 7));
  });

  it("completes a very common title", async () => {
    const completion = { scheme: "work", text: "se", limit: 20, filters: [] } as const;
    const source = createCompletionSource(index);
    const completed = await completeText(source, completion, async () => undefined);
    expect(completed.map(({ key }) => key)).toEqual(ordered(byPopularity).slice(0, 20));
  });

  it("stores each work in one row", async () => {
    const rows = await matches("work_text_a", '"sea"');
    expect(rows).toEqual(works.map(idOf).sort((a, b) => a - b));
    const sql = "SELECT count(*) AS n FROM work_text_a WHERE work_text_a MATCH ?1 AND rowid <= ?2";
    expect(await searchRows(sql, '"sea"', WORKS)).toEqual([{ n: old }]);
  });

  it.each([
    ["at once", { filters: MANY }, {}, 1],
    ["in parts", { filters: MANY }, { bytesMax: 2_000_000 }, 3],
    ["beyond the works counted at once", { filters: MANY }, { fewMax: 100 }, 2],
    ["by key", { filters: [], keys: works.map(({ key }) => key) }, {}, 2],
  ])(
    "counts works with 1,200 places %s, in texts below the limit of D1",
    async (_way, selected, options, trips) => {
      await searchRows(`INSERT OR IGNORE INTO facet_value_a (code, field, value)
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
      SELECT 100000 + n, 'pl', 'Place ' || n FROM n`);
      await searchRows(`UPDATE work_facet_a
      SET place = (SELECT group_concat(packed, '') FROM facet_value_a WHERE code > 100000)`);
      const [sums, database] = measured(env.SEARCH);
      const { all } = await planIndexSearch(index, { query: ALL, editionClauses: [], ...selected });
      if (all === undefined) throw new Error("no selection");
      const requests = [{ field: "place_facet", limit: -1, sort: "count", offset: 0, mincount: 1 } as const];
      const { fields } = await countPackedFacets({ ...index, database }, all, { requests, ...options });
      const values = fields["place_facet"] ?? [];
      expect([values.length, ...new Set(values.map(({ count }) => count))]).toEqual([1200, WORKS]);
      expect(sums.value).toBeLessThan(2_000_000);
      expect(sums.trips).toBe(trips + 1);
    },
  );

  it("ranks works with long texts in a value below the limit of D1", async () => {
    const long = JSON.stringify([
      `sea ${"\u{10400}".repeat(596)}`,
      "\u{10400}".repeat(600),
      "\u{10400}".repeat(600),
    ]);
    const kept = await searchRows<{ ranking: string }>("SELECT ranking FROM work_ranking_a LIMIT 1");
    await searchRows("UPDATE work_ranking_a SET ranking = ?1", long);
    const [sums, database] = measured(env.SEARCH);
    const options = {
      query: SEA,
      filters: [],
      editionClauses: [],
      sort: [],
      start: 0,
      rows: 20,
      withEditions: false,
    };
    const { numFound } = await searchWorks(createWorkSource({ ...index, database }), options);
    await searchRows("UPDATE work_ranking_a SET ranking = ?1", kept[0]?.ranking ?? "");
    expect(numFound).toBe(WORKS);
    // At most 400 candidates come together, and 200 here.
    expect(sums.value).toBeGreaterThan(200 * 4000);
    expect(sums.value).toBeLessThan(1_000_000);
  });
});

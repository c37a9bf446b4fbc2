import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { countFacets } from "../../../src/db/search/facets.ts";
import type {
  Generation,
  FacetRequest,
  FacetValue,
  Facets,
  SearchConditions,
} from "../../../src/search/engine.ts";
import { countPackedFacets } from "../../../src/db/search/packed-facets.ts";
import { planIndexSearch } from "../../../src/db/search/selection.ts";
import { findDifferingWorks } from "../../../src/db/indexing/upkeep.ts";
import { accessLevelOf } from "../../../src/search/documents/scans.ts";
import { subjectKeyOf } from "../../../src/search/documents/subject-key.ts";
import type { WorkDocument } from "../../../src/search/documents/types.ts";
import { FACET_SOURCES, FacetsMissingError, facetColumnOf, pickValues } from "../../../src/search/facets.ts";
import { type Query, ALL, equals } from "../../../src/search/query/query.ts";
import { applyTo, at, clearGeneration, searchRows } from "../../support/worker/index-documents.ts";
import { naiveMatch } from "../../support/worker/naive-search.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { randomQuery, randomWorks } from "../../support/worker/random-works.ts";

const WORKS = 150;
const QUERIES = 30;
const random = randomFrom(11);
/** Some subjects are written in two ways, also within one work. */
const works = randomWorks(random, WORKS).map((work) =>
  random.chance(0.3) ? { ...work, subject: [...(work.subject ?? []), "rivers", "C++ (computer)"] } : work,
);
const FIELDS = [...FACET_SOURCES.keys()];
const REQUESTS: FacetRequest[] = [
  { field: "language", limit: -1, sort: "count", offset: 0, mincount: 1 },
  { field: "subject_key", limit: -1, sort: "count", offset: 0, mincount: 1 },
];
const indexOf = (generation: Generation) => ({ database: env.SEARCH, generation, prefix: "OL" });
const selected = (query: Query): SearchConditions => ({ query, filters: [], editionClauses: [] });

beforeAll(async () => {
  const authors = new Map(
    works.flatMap(({ author_key: keys = [], author_name: names = [] }) =>
      keys.map((key, place) => [key, names[place] ?? ""] as const),
    ),
  );
  await applyTo("a", {
    authors: [...authors].map(([key, name]) => at(1, { key: `/authors/${key}`, type: "author", name })),
    works: works.map((work) => at(1, work)),
  });
});

/** Returns the values that a document adds to a field. */
function valuesOf(work: WorkDocument, field: string): Set<string> {
  const { member = "", keyed, level } = FACET_SOURCES.get(field) ?? {};
  if (level !== undefined) return new Set([String(accessLevelOf(work.ebook_access) >= level)]);
  // Members of documents are texts, numbers or lists of them.
  const own = ([Reflect.get(work, member) ?? []] as (string | number | string[])[]).flat().map(String);
  if (field === "author_facet")
    return new Set(own.map((key, place) => `${key} ${work.author_name?.[place] ?? ""}`));
  return new Set(keyed ? own.map(subjectKeyOf).filter((key) => key !== "") : own);
}

function countedOf(found: readonly WorkDocument[], request: FacetRequest): FacetValue[] {
  const counts = new Map<string, number>();
  for (const work of found)
    for (const value of valuesOf(work, request.field)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return pickValues(
    [...counts].map(([value, count]) => ({ value, count })),
    request,
  );
}

function expected(found: readonly WorkDocument[], requests: readonly FacetRequest[]) {
  return Object.fromEntries(requests.map((request) => [request.field, countedOf(found, request)]));
}

function randomRequest(field: string): FacetRequest {
  return {
    field,
    limit: random.pick([-1, 0, 1, 2, 3, 100]),
    sort: random.pick(["count", "index"]),
    offset: random.below(3),
    mincount: random.below(4),
    ...(random.chance(0.2) && { contains: random.pick(["R", "li", "1"]) }),
    ...(random.chance(0.2) && { prefix: random.pick(["R", "O", "1"]) }),
  };
}

describe("facet counts", () => {
  it("equal a naive count, in one statement or in many", async () => {
    for (let turn = 0; turn < QUERIES; turn += 1) {
      const query = randomQuery(random);
      if (query.op === "all") continue;
      const found = works.filter((work) => naiveMatch(work, [query]));
      const requests = random
        .shuffled(FIELDS)
        .slice(0, 1 + random.below(8))
        .map(randomRequest);
      const label = JSON.stringify({ query, requests });
      const facets = await countFacets(indexOf("a"), { ...selected(query), facets: requests });
      expect(facets, label).toEqual({
        numFound: found.length,
        fields: expected(found, requests),
        exact: true,
      });
      const { all } = await planIndexSearch(indexOf("a"), selected(query));
      if (all === undefined) continue;
      const bytesMax = 1 + random.below(2000);
      const some = await countPackedFacets(indexOf("a"), all, {
        requests,
        fewMax: random.below(50),
        bytesMax,
      });
      const packed = requests.filter(({ field }) => facetColumnOf(field) !== undefined);
      expect(some.numFound, label).toBe(found.length);
      expect(some.fields, label).toEqual(expected(found, packed));
    }
  }, 120_000);
});

it("facet counts over many works are cached by query and number of works", async () => {
  const kept = new Map<string, { fields: Facets["fields"]; asOf: number }>();
  const counted = countedDatabase(env.SEARCH);
  const index = {
    ...indexOf("a"),
    database: counted.database,
    keepFacets: async (name: string, make: () => Promise<Facets["fields"]>) => {
      const value = kept.get(name) ?? { fields: await make(), asOf: kept.size };
      kept.set(name, value);
      return value;
    },
  };
  const ask = async (value: string, { fewMax, requests }: { fewMax: number; requests: FacetRequest[] }) => {
    const { all } = await planIndexSearch(index, selected(equals("language", value)));
    if (all === undefined) throw new Error("nothing");
    const before = roundTrips(counted);
    const { asOf } = await countPackedFacets(index, all, { requests, fewMax });
    return { asOf, trips: roundTrips(counted) - before };
  };
  expect(await ask("eng", { fewMax: 10, requests: REQUESTS })).toEqual({ asOf: 0, trips: 3 });
  expect(await ask("eng", { fewMax: 10, requests: REQUESTS })).toEqual({ asOf: 0, trips: 1 });
  expect(await ask("ger", { fewMax: 10, requests: REQUESTS })).toMatchObject({ asOf: 1 });
  expect(await ask("eng", { fewMax: 10, requests: REQUESTS.slice(1) })).toMatchObject({ asOf: 2 });
  expect(await ask("eng", { fewMax: WORKS, requests: REQUESTS })).toEqual({ asOf: undefined, trips: 2 });
  expect(kept.size).toBe(3);
});

const ENGLISH = equals("language", "eng");

async function countsIn(generation: Generation) {
  return (await countFacets(indexOf(generation), { ...selected(ENGLISH), facets: REQUESTS })).fields;
}

it("facet counts follow concurrent changes and deletions", async () => {
  const next = works.map((work, place) => works[(place + 1) % WORKS] ?? work);
  const changed = works.map((work, place) => ({
    ...work,
    language: next[place]?.language ?? [],
    subject: next[place]?.subject ?? [],
  }));
  const deletes = works.slice(0, 50).map(({ key }) => ({ key, version: 4 }));
  const write = (version: number) =>
    Array.from({ length: 4 }, (_part, part) =>
      applyTo("b", {
        works: changed.filter((_work, place) => place % 4 === part).map((work) => at(version, work)),
      }),
    );
  await applyTo("b", { works: works.map((work) => at(1, work)) }, { aggregates: false });
  await Promise.all([...write(2), ...write(3), applyTo("b", { deletes })]);
  const left = changed.slice(50).filter((work) => naiveMatch(work, [ENGLISH]));
  expect(await countsIn("b")).toEqual(expected(left, REQUESTS));

  await clearGeneration("b");
  expect(
    await searchRows(
      "SELECT (SELECT count(*) FROM work_facet_b) + (SELECT count(*) FROM facet_value_b) AS n",
    ),
  ).toEqual([{ n: 0 }]);
  await applyTo("b", { works: changed.toReversed().map((work) => at(1, work)) }, { aggregates: false });
  const all = changed.filter((work) => naiveMatch(work, [ENGLISH]));
  expect(await countsIn("b")).toEqual(expected(all, REQUESTS));
});

it("facet counts are checked by the audit", async () => {
  await clearGeneration("b");
  const some = works.slice(0, 20).map((work) => at(1, work));
  await applyTo("b", { works: some }, { aggregates: false });
  const differing = () => findDifferingWorks(env.SEARCH, "b", { works: some, prefix: "OL" });
  expect(await differing()).toEqual([]);
  await searchRows(
    "UPDATE work_facet_b SET language = language || '0' WHERE id = (SELECT text_row FROM work_b WHERE id = 3)",
  );
  await searchRows("DELETE FROM work_facet_b WHERE id = (SELECT text_row FROM work_b WHERE id = 5)");
  expect((await differing()).map(({ document }) => document.key)).toEqual(["/works/OL3W", "/works/OL5W"]);
  await searchRows("DELETE FROM facet_value_b WHERE field = 'ea'");
  expect(await differing()).toHaveLength(20);
});

it("facet codes of an emptied generation are not written", async () => {
  await clearGeneration("b");
  const started = "2026-11-01T00:00:00.000000";
  await searchRows(`UPDATE index_state SET started = '${started}'`);
  const known = { started, words: new Set<string>(), codes: new Map<string, string>() };
  const [first, second] = [works.slice(0, 20), works.slice(20, 40)].map((some) =>
    some.map((work) => at(1, work)),
  );
  await applyTo("b", { works: first ?? [] }, { aggregates: false, known });
  // Another rebuild begins.
  await searchRows("UPDATE index_state SET started = '2026-11-02T00:00:00.000000'");
  await clearGeneration("b");
  const late = applyTo("b", { works: second ?? [] }, { aggregates: false, known });
  await expect(late).rejects.toThrow("NOT NULL");
  expect(await searchRows("SELECT count(*) AS n FROM work_b")).toEqual([{ n: 0 }]);
});

it("facet counts are refused by an index without facet rows", async () => {
  await clearGeneration("b");
  await applyTo("b", { works: works.slice(0, 20).map((work) => at(1, work)) }, { aggregates: false });
  await searchRows("DELETE FROM work_facet_b WHERE id % 2 = 0");
  await expect(
    countFacets(indexOf("b"), {
      ...selected({ ...ALL, op: "not", of: equals("title", "xyzzy") }),
      facets: REQUESTS,
    }),
  ).rejects.toThrow(FacetsMissingError);
});

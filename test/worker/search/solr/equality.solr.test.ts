import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { createIndex } from "../../../../src/db/indexing/search-index.ts";
import { createEngine } from "../../../../src/db/search/embedded-engine.ts";
import { CANDIDATES_MAX } from "../../../../src/search/engine/search-works.ts";
import type { AuthorDocument, ListDocument } from "../../../../src/search/documents/types.ts";
import {
  type Document,
  type FacetRequest,
  type Mark,
  type SearchEngine,
  type Sort,
  type Update,
  type SearchResult,
  type SearchRequest,
  WINDOW_WORKS_MAX,
} from "../../../../src/search/engine.ts";
import { TooBroadError } from "../../../../src/search/plan/too-broad.ts";
import { ALL_FIELDS, DEFAULT_FIELDS } from "../../../../src/search/present/selected-fields.ts";
import { ALL, equals } from "../../../../src/search/query/query.ts";
import { at } from "../../../support/worker/index-documents.ts";
import { randomFrom } from "../../../support/worker/random.ts";
import {
  randomEditionLeaf,
  randomQuery,
  randomText,
  randomWorks,
} from "../../../support/worker/random-works.ts";
import { solrEngine, solrIndex } from "../../../support/worker/solr.ts";

/** Works, and queries of each kind: more are asked by `EQUALITY="50000 1000" npx vitest run --project solr …`. */
const [WORKS = 600, QUERIES = 60] = (env.EQUALITY || "600 60").split(" ").map(Number);
/** Works of one update. */
const PAGE = 1000;
const random = randomFrom(11);
const embedded = createEngine(env.SEARCH, "a", { prefix: "OL" });
const solr = solrEngine("a");
const NAMES = ["Anna O'Brien", "J. R. R. Tolkien", "Jane Stories", "村上春樹", "Harry River", "Søren Łódź"];
/** True if authors have more works than the embedded index reads for the subjects of authors and lists. */
const IS_LARGE = WORKS > 6000;
/** Authors of each list. */
const LISTED = IS_LARGE ? [] : [0, 1];
/** Further authors with one first name: several pages, and more than D1 ranks. */
const NAMESAKES = 700;

beforeAll(async () => {
  const options = { generations: ["a"], prefix: "OL", now: () => Date.now() } as const;
  const indexes = [createIndex(env.SEARCH, options), solrIndex("a")];
  const works = randomWorks(random, WORKS).map((work) => at(1, work));
  for (let from = 0; from < works.length; from += PAGE) {
    for (const index of indexes) await index.apply({ ...NOTHING, works: works.slice(from, from + PAGE) });
  }
  for (const index of indexes) await index.apply({ ...NOTHING, authors, lists });
}, 3_600_000);

const NOTHING: Update = { works: [], authors: [], lists: [], deletes: [] };
const namesakes = Array.from(
  { length: NAMESAKES },
  (_empty, place) => `Maria ${randomText(random, 1 + (place % 4))}`,
);
const authors = [...NAMES, ...namesakes].map((name, place) => {
  const author: AuthorDocument = { key: `/authors/OL${place + 1}A`, type: "author", name };
  return at(1, author);
});
const lists = Array.from({ length: 30 }, (_empty, place) => {
  const list: ListDocument = {
    key: `/people/ann/lists/OL${place}L`,
    type: "list",
    list_type: "user_list",
    name: `${randomText(random)} ${place}`,
    seed: [`/works/OL${place + 1}W`, ...LISTED.map((one) => `/authors/OL${((place + one) % 6) + 1}A`)],
    seed_count: place,
    last_modified: `2026-11-${String((place % 28) + 1).padStart(2, "0")}T00:00:00Z`,
  };
  return at(1, list);
});

/** Documents without what is each engine's own in a large index. */
function comparable(documents: readonly Document[]): readonly Document[] {
  return IS_LARGE ? documents.map(({ top_subjects: _own, ...others }) => others) : documents;
}

function byKey({ key: one }: Document, { key: other }: Document): number {
  return Number(String(one) > String(other)) - Number(String(one) < String(other));
}

/** Checks that both engines give the same answer, or refusal, and returns it. */
async function both(label: unknown, ask: (engine: SearchEngine) => Promise<unknown>): Promise<unknown> {
  const [expected, found] = await Promise.all(
    [embedded, solr].map((engine) =>
      ask(engine).catch((error: unknown) => {
        if (error instanceof TooBroadError) return error.message;
        throw error;
      }),
    ),
  );
  expect(found, JSON.stringify(label)).toEqual(expected);
  return expected;
}

const SORTS: readonly Sort[] = [
  ...[
    "edition_count",
    "first_publish_year",
    "title_sort",
    "ratings_sortable",
    "osp_count",
    "key",
    "lcc_sort",
  ].flatMap((field) => [true, false].map((descending) => ({ field, descending }))),
  { field: "random", descending: false, seed: "day" },
  { field: "score", descending: true },
  { field: "score", descending: false },
];

/** All, what is shown by default, what stands elsewhere in a document, and what is computed. */
const FIELDS = [
  ALL_FIELDS,
  DEFAULT_FIELDS,
  ["key", "edition_key"],
  ["key", "ratings_average", "trending_z_score"],
];

function randomSearch(): SearchRequest {
  const fields = random.pick(FIELDS);
  return {
    fields,
    editionFields: fields,
    query: random.chance(0.1) ? ALL : randomQuery(random),
    filters: random.chance(0.4) ? [randomQuery(random, 1)] : [],
    editionClauses: random.chance(0.2) ? [randomEditionLeaf(random), randomEditionLeaf(random)] : [],
    sort: random.chance(0.4) ? [random.pick(SORTS)] : [],
    start: random.pick([0, 0, 0, 20, 190, 400, WINDOW_WORKS_MAX]),
    rows: random.pick([0, 10, 100]),
    withEditions: random.chance(0.2),
  };
}

it("works have the same order, scores and editions in both engines", async () => {
  let found = 0;
  for (let turn = 0; turn < QUERIES * 2; turn += 1) {
    const search = randomSearch();
    const hits = await both(search, (engine) => engine.works(search));
    const { numFound } = Object(hits);
    if (numFound > 0) found += 1;
    if (numFound > CANDIDATES_MAX) expect(await solr.works(search)).toEqual(hits);
  }
  expect(found).toBeGreaterThan(QUERIES / 2);
}, 3_600_000);

it("walks return the same works in both engines", async () => {
  for (let turn = 0; turn < QUERIES / 4; turn += 1) {
    const search = { ...randomSearch(), start: 0, rows: 7, withEditions: false };
    await both(search, async (engine) => {
      const pages: unknown[] = [];
      let after: Mark | undefined = [];
      for (let page = 0; page < 3 && after !== undefined; page += 1) {
        const { mark, ...hits }: SearchResult = await engine.works({ ...search, after });
        pages.push(hits);
        after = mark;
      }
      return pages;
    });
  }
}, 3_600_000);

const FACETS = [
  "language",
  "subject_facet",
  "author_facet",
  "publisher_facet",
  "first_publish_year",
  "has_fulltext",
];

it("facets are equal in both engines", async () => {
  for (let turn = 0; turn < QUERIES; turn += 1) {
    const { query, filters, editionClauses } = randomSearch();
    const facets = random
      .shuffled(FACETS)
      .slice(0, 3)
      .map((field): FacetRequest => {
        return {
          field,
          limit: random.pick([3, 10, -1]),
          sort: random.pick(["count", "index"]),
          offset: 0,
          mincount: 1,
        };
      });
    const search = { query, filters, editionClauses, facets };
    await both(search, async (engine) => {
      const { numFound, fields } = await engine.facets(search);
      return query.op === "all" ? numFound : { numFound, fields };
    });
  }
}, 3_600_000);

it("editions, authors, lists, corrections and completions are equal in both engines", async () => {
  for (let turn = 0; turn < QUERIES; turn += 1) {
    const search = { ...randomSearch(), editionClauses: [], sort: [], start: 0, rows: 20 };
    await both(search, (engine) => engine.editions(search));
    // Each engine has scores of its own for authors and lists.
    const all = { ...search, rows: authors.length };
    for (const scheme of ["authors", "lists"] as const) {
      await both(search, async (engine) => {
        const { documents, ...hits } = await engine[scheme](all);
        return { ...hits, documents: comparable(documents).toSorted(byKey) };
      });
    }
    const words = [randomText(random, 2), random.pick(["libary", "pottre", "harrry", "rivver", "stroies"])];
    await both(words, async (engine) => {
      const { replacements, isSure } = (await engine.findCorrection(words)) ?? {};
      return { replacements: [...(replacements ?? [])], isSure };
    });
    const text = randomText(random, 2).slice(0, 1 + random.below(9));
    for (const scheme of ["work", "author", "list"] as const) {
      const completion = { scheme, text, limit: 5, filters: [] };
      await both(completion, async (engine) => comparable(await engine.complete(completion)));
    }
  }
}, 3_600_000);

it("pages of authors by score are all authors that are found, each once", async () => {
  for (const engine of [embedded, solr]) {
    const keys: unknown[] = [];
    for (let start = 0; start < NAMESAKES + 50; start += 50) {
      const search = { query: equals("name", "maria"), filters: [], sort: [], start, rows: 50 };
      const { numFound, documents } = await engine.authors(search);
      expect(numFound).toBe(NAMESAKES);
      keys.push(...documents.map(({ key }) => key));
    }
    expect(keys).toHaveLength(NAMESAKES);
    expect(new Set(keys).size).toBe(NAMESAKES);
  }
});

it("subjects, counts and documents are equal in both engines", async () => {
  await both("health", (engine) => engine.health());
  const keys = [
    "/works/OL3W",
    "/authors/OL2A",
    "/subjects/rivers",
    lists[4]?.document.key ?? "",
    "/works/OL0W",
  ];
  await both(keys, async (engine) => comparable(await engine.getMany(keys)));
  await both(keys, (engine) => engine.worksByKey(keys, { withEditions: true }));
  const works = { ids: [1, 2, 3, 4, 5], tokens: IS_LARGE ? [] : ["ak=_4f_4c1_41", "ak=_4f_4c2_41"] };
  await both(works, (engine) => engine.subjectCounts(works, 20));
  const tokens = new Map([["Rivers", "sk=rivers"]]);
  await both("covers", async (engine) => [...(await engine.subjectCovers(tokens))]);
});

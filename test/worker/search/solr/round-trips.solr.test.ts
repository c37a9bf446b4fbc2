import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SearchRequest } from "../../../../src/search/engine.ts";
import { DEFAULT_FIELDS } from "../../../../src/search/present/selected-fields.ts";
import { equals } from "../../../../src/search/query/query.ts";
import { loadBooks } from "../../../support/worker/books.ts";
import { at, testWork } from "../../../support/worker/index-documents.ts";
import { testService } from "../../../support/worker/service.ts";
import { solrEngine, solrIndex } from "../../../support/worker/solr.ts";

const service = testService();
const asked = vi.spyOn(globalThis, "fetch");

beforeAll(() => loadBooks(service));

afterAll(() => {
  asked.mockRestore();
});

it.each([
  ["/search.json?q=hobbit", 1],
  ["/search.json?q=the+hobbit&language=eng", 1],
  ["/search.json?q=tolkien&sort=new", 1],
  ["/search.json?q=hobbit&fields=key,editions", 3],
  ["/search/authors.json?q=j+r+r+tolkien", 1],
  ["/works/_autocomplete?q=the+hob", 1],
  ["/works/_autocomplete?q=hobbit", 2],
])("%s takes %i requests", async (path, times) => {
  const found = Object(await service.json(path));
  expect(found.docs ?? found).not.toEqual([]);
  asked.mockClear();
  expect(await service.json(path)).toEqual(found);
  expect(asked).toHaveBeenCalledTimes(times);
});

it("very common queries are remembered until they find fewer works", async () => {
  const [engine, index] = [solrEngine("b"), solrIndex("b")];
  const works = Array.from({ length: 400 }, (_empty, place) => {
    const members = { title: place < 20 ? "Sea" : "Waves of a sea, and shores", subjects: ["Sea"] };
    return at(1, testWork({ number: place + 1, members, counts: { wantToRead: place } }));
  });
  const nothing = { works: [], authors: [], lists: [], deletes: [] };
  await index.apply({ ...nothing, works });
  const search: SearchRequest = {
    query: { ...equals("title", "sea"), field: null },
    filters: [],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 5,
    withEditions: false,
    fields: DEFAULT_FIELDS,
  };
  const answers = async () => {
    asked.mockClear();
    const { numFound, documents } = await engine.works(search);
    return { numFound, keys: documents.map(({ key }) => key), times: asked.mock.calls.length };
  };
  const first = await answers();
  expect(first).toMatchObject({ numFound: 400, times: 4 });
  expect(await answers()).toEqual({ ...first, times: 3 });
  const gone = works.filter((_work, place) => place % 4 > 0).map(({ document: { key } }) => key);
  await index.apply({ ...nothing, deletes: gone.map((key) => ({ key, version: 2 })) });
  const fewer = await answers();
  expect(fewer).toMatchObject({ numFound: 100, times: 5 });
  expect(await answers()).toEqual({ ...fewer, times: 3 });
});

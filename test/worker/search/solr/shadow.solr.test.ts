import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { readIndexState } from "../../../../src/db/indexing/index-state.ts";
import { refreshIndex } from "../../../../src/worker/indexing/refresh.ts";
import { OPERATOR, jobsOf } from "../../../support/worker/import-queue.ts";
import { at, testWork } from "../../../support/worker/index-documents.ts";
import { author, deleted, edition, work } from "../../../support/worker/records.ts";
import { type TestService, testService } from "../../../support/worker/service.ts";
import { solrIndex } from "../../../support/worker/solr.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

/** No server listens there. */
const AWAY = "http://127.0.0.1:9/solr";
const EMBEDDED = { SEARCH_ENGINE: "embedded", SEARCH_SHADOW: "on" } as const;
const SOLR = { SEARCH_ENGINE: "solr", SEARCH_SHADOW: "on" } as const;

let embedded: TestService;
let solr: TestService;

beforeEach(async () => {
  await emptyStores();
  embedded = testService(EMBEDDED);
  solr = testService(SOLR);
});

async function post(service: TestService, path: string, body: object): Promise<unknown> {
  return service.json(path, { method: "POST", headers: OPERATOR, body: JSON.stringify(body) });
}

/** Answers of both services, after isolates have read the generation again. */
async function found(query: string): Promise<unknown[]> {
  for (const service of [embedded, solr]) service.now += 60_000;
  return Promise.all(
    [embedded, solr].map(async (service) =>
      Object(await service.json(`/search.json?q=${query}&fields=key`)).docs.map(
        ({ key }: { key: string }) => key,
      ),
    ),
  );
}

const follow = (settings: Partial<Cloudflare.Env> = EMBEDDED) => refreshIndex(jobsOf(embedded, settings));

it("the shadow index is filled and follows the log, whichever engine answers", async () => {
  await embedded.loadUnindexed(author(1), work(1, { title: "Cats", authors: [1] }), edition(1, { work: 1 }));
  await follow();
  expect(await found("cats")).toEqual([["/works/OL1W"], ["/works/OL1W"]]);
  await embedded.loadUnindexed(work(2, { title: "Dogs" }));
  const begun = await post(embedded, "/system/reindex", { shadow: true, start: true });
  await embedded.loadUnindexed(work(3, { title: "Birds" }), deleted("/works/OL1W", 2));
  for (let step = begun; !Object(step).finished;) {
    await follow();
    step = await post(embedded, "/system/reindex", { shadow: true });
  }
  await follow();
  expect(await found("dogs")).toEqual([["/works/OL2W"], ["/works/OL2W"]]);
  expect(await found("birds")).toEqual([["/works/OL3W"], ["/works/OL3W"]]);
  expect(await found("cats")).toEqual([[], []]);
  const live = (engine: "embedded" | "solr") => readIndexState({ database: env.SEARCH, engine });
  expect([(await live("embedded")).live, (await live("solr")).live]).toEqual(["a", "b"]);
  await solr.loadUnindexed(work(4, { title: "Fish" }), work(2, { title: "Hounds", revision: 2 }));
  await follow(SOLR);
  expect(await found("fish")).toEqual([["/works/OL4W"], ["/works/OL4W"]]);
  expect(await found("dogs")).toEqual([[], []]);
  expect(await found("hounds")).toEqual([["/works/OL2W"], ["/works/OL2W"]]);
});

it("the shadow index catches up after an outage", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await embedded.loadUnindexed(work(1, { title: "Cats" }));
  await follow({ ...EMBEDDED, SOLR_URL: AWAY });
  expect(errors.mock.calls.flat().join()).toContain("the shadow is not followed");
  expect(await found("cats")).toEqual([["/works/OL1W"], []]);
  const behind = async () => Object(await embedded.json("/status.json")).projections;
  expect(await behind()).toMatchObject({ search: { behind: 0 } });
  await follow();
  expect(await found("cats")).toEqual([["/works/OL1W"], ["/works/OL1W"]]);
  expect(await behind()).toMatchObject({ search: { behind: 0 }, "search-solr": { behind: 0 } });
  const alone = testService({ SEARCH_ENGINE: "embedded", SEARCH_SHADOW: "off" });
  expect(Object.keys(Object(await alone.json("/status.json")).projections)).not.toContain("search-solr");
});

it("the shadow index is checked and repaired", async () => {
  await embedded.loadUnindexed(work(1, { title: "Cats" }), work(2, { title: "Dogs" }));
  await follow();
  const check = (body: object) => post(embedded, "/system/index-check", body);
  expect(await check({ shadow: true })).toEqual({ position: 0, works: 2, repaired: [], stray: [] });
  const stray = testWork({ number: 7, members: { title: "Stray" } });
  await solrIndex("a").apply({ works: [at(0, stray)], authors: [], lists: [], deletes: [] });
  expect(await found("stray")).toEqual([[], ["/works/OL7W"]]);
  expect(await check({ shadow: true })).toEqual({
    position: 0,
    works: 2,
    repaired: [],
    stray: ["/works/OL7W"],
  });
  expect(await found("stray")).toEqual([[], []]);
  expect(await check({})).toEqual({ position: 0, works: 2, repaired: [], stray: [] });
  const alone = testService({ SEARCH_ENGINE: "embedded", SEARCH_SHADOW: "off" });
  expect(await post(alone, "/system/index-check", { shadow: true })).toMatchObject({ error: "bad_data" });
});

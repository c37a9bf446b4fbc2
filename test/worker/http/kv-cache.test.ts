import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FIRST_LANGUAGE } from "../../../src/db/records/languages.ts";
import { lookUpBook } from "../../../src/worker/imports/affiliate.ts";
import type { Jobs } from "../../../src/worker/http/queue.ts";
import { QUEUES } from "../../../src/worker/jobs.ts";
import { RemoteLending } from "../../../src/worker/lending/service/remote.ts";
import { httpItems } from "../../../src/worker/platform/http-items.ts";
import { walkLanguages } from "../../../src/worker/records/languages.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { busyKv } from "../../support/worker/busy-kv.ts";
import { delivered, jobsOf } from "../../support/worker/import-queue.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition, language, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";

const network = fakeNetwork();
const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const inEnglish = { languages: [{ key: "/languages/eng" }] };

beforeAll(async () => {
  await testService().load(language("eng", "English"), work(1), edition(1, { work: 1, ...inEnglish }));
});
afterEach(() => vi.restoreAllMocks());

interface Attempt {
  readonly service: TestService;
  readonly jobs: Jobs;
  readonly cache: KVNamespace;
}

const succeed =
  (path: string, init: RequestInit = {}) =>
  async ({ service }: Attempt) =>
    expect((await service.fetch(path, init)).status).toBe(200);

const NO_PATRONS = {
  useridOf: async (name: string) => name,
  patronsOf: async () => new Map<string, string>(),
  keysOf: async () => undefined,
  forgetKeys: async () => undefined,
};
const AFFILIATE = "http://affiliate.test/isbn/0452269571?high_priority=true&stage_import=false";
const AVAILABILITY = "http://lending.test/?identifier=foo&scope=printdisabled";
const ANSWERS = {
  "http://items.test/metadata/foo00bar": () =>
    Response.json({ metadata: { identifier: "foo00bar", mediatype: "texts" }, files: [] }),
  [AFFILIATE]: () => Response.json({ status: "success", hit: { title: "Beloved" } }),
  [AVAILABILITY]: () => Response.json({ success: true, responses: { foo: { status: "open" } } }),
  "https://archive.org/includes/donate.js": () =>
    new Response("x", { headers: { "Content-Type": "text/javascript" } }),
};
const WALK = { next: FIRST_LANGUAGE, counts: [], whole: null, begun: 0 };

const WRITERS: Readonly<Record<string, (attempt: Attempt) => Promise<unknown>>> = {
  "languages:v2": succeed("/languages.json"),
  "trending:v2:monthly": succeed("/trending/monthly.json"),
  "imports:v2": succeed("/imports.json"),
  "script:v1:https://archive.org/includes/donate.js": succeed("/cdn/archive.org/donate.js"),
  "languages:v2 deleted": succeed("/system/invalidate", {
    method: "POST",
    headers,
    body: '{"key":"/works/OL1W"}',
  }),
  "languages-walk:v1": ({ jobs }) => walkLanguages({ ...jobs, budget: UNSPENT }),
  "item:v1:items.test:foo00bar": ({ cache }) => {
    const options = { url: "http://items.test", coverHosts: [], inHurry: true, wait: async () => {} };
    return httpItems({ ...options, cache }).metadata("foo00bar");
  },
  "affiliate:v1:0452269571": ({ cache }) =>
    lookUpBook({ settings: { AFFILIATE_URL: "http://affiliate.test" }, stores: { cache } }, "0452269571", {
      highPriority: true,
      stageImport: false,
    }),
  "lending availability 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae": ({ cache }) => {
    const url = "http://lending.test/";
    const options = { url, availabilityUrl: url, rpcUrl: url, access: "", key: "", client: "" };
    return new RemoteLending(options, NO_PATRONS, cache).statuses(["foo"]);
  },
};

describe("writes to KV", () => {
  it.each(Object.entries(WRITERS))("of %s fail without effect, once a minute", async (name, write) => {
    network.answer(ANSWERS);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { kv, writes } = busyKv({ "languages-walk:v1": WALK });
    const service = testService({ CACHE: kv, CDN_FOLDER: "/includes/" });
    const attempt = { service, jobs: jobsOf(service, { CACHE: kv }), cache: kv };
    await write(attempt);
    service.now += 59_000;
    await write(attempt);
    expect(writes).toEqual([name.replace(" deleted", "")]);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/"event":"answer-cache".*429/)]]);
  });

  it("are skipped by an index run", async () => {
    const { kv, writes } = busyKv();
    const service = testService({ CACHE: kv });
    const consumer = QUEUES.find(({ name }) => name === "carrel-index")!;
    for (let revision = 2; revision < 6; revision += 1) {
      await service.loadUnindexed(work(1, { title: `Title ${revision}`, revision }));
      await delivered(consumer.work, jobsOf(service, { CACHE: kv }), [{}]);
    }
    expect(writes).toEqual([]);
  });
});

import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import worker from "../../../src/worker/index.ts";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { beginRebuild, rebuildStep } from "../../../src/worker/indexing/rebuild.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { testIndexing } from "../../support/worker/indexing.ts";
import { work } from "../../support/worker/records.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { testService } from "../../support/worker/service.ts";

afterEach(() => vi.restoreAllMocks());

interface Status {
  software_version: string;
  start_time: string;
  features: string[];
  problems: string[];
  changes: number;
  projections: Record<string, { change: number; behind: number }>;
}
const statusOf = async (settings: Partial<Env> = {}): Promise<Status> => {
  const response = await testService(settings).fetch("/status");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return response.json<Status>();
};

describe("GET /status", () => {
  it("shows version, start and an empty log", async () => {
    const status = await statusOf();
    expect(status.software_version).toBe("1.0.0");
    expect(status.start_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect(status).toMatchObject({ changes: 0, projections: { search: { change: 0, behind: 0 } } });
  });

  it.each<[Partial<Env>, string[]]>([
    [{ EDGE_CACHE: "off", DERIVE_HOLDINGS: "off", AFFILIATE_LOOKUP: "queue" }, ["affiliate-lookup"]],
    [
      { EDGE_CACHE: "on", DERIVE_HOLDINGS: "on", AFFILIATE_LOOKUP: "queue" },
      ["edge-cache", "derived-holdings", "affiliate-lookup"],
    ],
  ])("lists the features of %j", async (settings, features) => {
    expect((await statusOf(settings)).features).toEqual(features);
  });

  it("reports that a production service without BASE_URL sends no mail", async () => {
    const settings = { ENVIRONMENT: "production", MAIL_URL: "https://mail.example" } as const;
    const problem = "BASE_URL is not configured, so no email can be sent.";
    expect((await statusOf(settings)).problems).toEqual([problem]);
    const page = await testService(settings).fetch("/status", { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("<bdi>BASE_URL</bdi> is not configured, so no email can be sent.");
    expect((await statusOf()).problems).toEqual([]);
    expect((await statusOf({ ...settings, BASE_URL: "http://books.example" })).problems).toEqual([]);
  });

  it("reports a newest change in the future", async () => {
    const service = testService();
    await service.loadUnindexed(work(5));
    const problemsLater = async (milliseconds: number): Promise<string[]> => {
      service.now += milliseconds;
      return Object(await service.json("/status.json")).problems;
    };
    expect(await problemsLater(0)).toEqual([]);
    expect(await problemsLater(-3_600_000)).toEqual([
      expect.stringMatching(/^The newest change was stored at 2026-11-21T12:00:00.*in the future/),
    ]);
    expect(await problemsLater(3_600_000)).toEqual([]);
  });

  it("is degraded while a projection or a rebuild is stalled, and names it", async () => {
    const service = testService();
    const stalledLater = async (minutes: number): Promise<unknown> => {
      const { status, problems } = Object(await service.json(`/status.json?${minutes}`));
      return [status, problems];
    };
    await emptyStores();
    service.now = Date.now();
    await service.loadUnindexed(work(6));
    await indexNow(testIndexing(), UNSPENT);
    await service.loadUnindexed(work(7));
    expect(await stalledLater(0)).toEqual(["ok", []]);
    service.now += 11 * 60_000;
    expect(await stalledLater(11)).toEqual([
      "degraded",
      expect.arrayContaining([expect.stringMatching(/^The projection search lacks changes since 2\d{3}-/)]),
    ]);
    await beginRebuild(testIndexing());
    expect(await stalledLater(12)).toEqual([
      "degraded",
      expect.arrayContaining([
        expect.stringMatching(/^The rebuild of the search index \(embedded, step clear\) .* since 2\d{3}-/),
      ]),
    ]);
    const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
    expect(await service.json("/system/status.json", { headers })).toMatchObject({ status: "degraded" });
    await rebuildStep(testIndexing(), 60_000);
  });

  it("follows the log by the queue", async () => {
    const service = testService();
    const { changes } = await service.load(work(1));
    const change = changes.at(-1)!;
    expect((await statusOf()).changes).toBe(change);
    await expect
      .poll(async () => (await statusOf()).projections["search"], { timeout: 50_000 })
      .toEqual({ change, behind: 0 });
  });

  it("catches up by the sweep when messages are lost", async () => {
    const lossy = new Proxy(env.INDEX, {
      get: (of, name) => (name === "send" ? async () => {} : Reflect.get(of, name)),
    });
    const { changes } = await testService({ INDEX: lossy }).load(work(2));
    expect((await statusOf()).projections["search"]).toMatchObject({ behind: 1 });
    const context = createExecutionContext();
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
    await waitOnExecutionContext(context);
    expect((await statusOf()).projections["search"]).toEqual({ change: changes.at(-1), behind: 0 });
  });

  it("does not fail a load when the queue fails", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = new Proxy(env.INDEX, {
      get: (of, name) => (name === "send" ? () => Promise.reject(new Error("full")) : Reflect.get(of, name)),
    });
    const service = testService({ INDEX: broken });
    expect(await service.load(work(3))).toMatchObject({ created: 1 });
    expect(errors).toHaveBeenCalledOnce();
    expect(await service.json("/works/OL3W.json")).toMatchObject({ title: "Work 3" });
  });
});

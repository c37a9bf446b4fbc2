import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { METRIC_TEXT_LENGTH, writePoint } from "../../../src/worker/http/metrics.ts";
import worker from "../../../src/worker/index.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

/** Analytics Engine cannot be read, so this records what is written. */
const points: { kind: string; texts: (string | null)[]; numbers: number[] }[] = [];
const METRICS: AnalyticsEngineDataset = {
  writeDataPoint: ({ indexes = [], blobs = [], doubles = [] } = {}) => {
    const [kind, ...texts] = blobs.map((blob) => (typeof blob === "string" ? blob : null));
    expect(indexes).toEqual([kind]);
    points.push({ kind: kind ?? "", texts, numbers: doubles });
  },
};
const of = (kind: string) => points.filter((point) => point.kind === kind);

beforeEach(() => void (points.length = 0));
afterEach(() => vi.restoreAllMocks());

describe("data points", () => {
  it("are lines of the log with METRICS_LOG", async () => {
    const debug = vi.spyOn(console, "debug").mockReturnValue();
    await testService({ METRICS: undefined, METRICS_LOG: "on" }).fetch("/health");
    const lines = debug.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toEqual([
      { point: { indexes: ["request"], blobs: ["request", "health", "GET", "200", "none"], doubles: [0] } },
    ]);
  });

  it("record operation, method, status and source of every request", async () => {
    const service = testService({ METRICS });
    await service.load(work(1));
    points.length = 0;
    service.now += 10;
    await service.fetch("/works/OL1W.json");
    await service.fetch("/works/OL1W.json");
    await service.fetch("/works/OL404W.json", { method: "HEAD" });
    await service.fetch("/languages/_autocomplete");
    await service.fetch("/works/OL1W.json", { method: "DELETE" });
    expect(of("request").map(({ texts }) => texts)).toEqual([
      ["readWork", "GET", "200", "made"],
      ["", "GET", "200", "isolate"],
      ["readWork", "HEAD", "404", "made"],
      ["languagesAutocomplete", "GET", "200", "none"],
      ["", "DELETE", "405", "none"],
    ]);
    expect(of("request").every(({ numbers: [ms] }) => ms === 0)).toBe(true);
    expect(of("failure")).toEqual([]);
  });

  it("record responses from the edge cache", async () => {
    const one = testService({ METRICS, EDGE_CACHE: "on" });
    await one.load(work(31));
    one.now += 10;
    await one.fetch("/works/OL31W.json");
    const other = testService({ METRICS, EDGE_CACHE: "on" });
    other.now = one.now;
    points.length = 0;
    await other.fetch("/works/OL31W.json");
    expect(of("request").map(({ texts }) => texts)).toEqual([["readWork", "GET", "200", "edge"]]);
  });

  it("have texts of bounded length", () => {
    writePoint(METRICS, "failure", [["x".repeat(3 * METRIC_TEXT_LENGTH)], [1]]);
    expect(of("failure")[0]?.texts).toEqual(["x".repeat(METRIC_TEXT_LENGTH)]);
  });

  it("count failures by their event", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = new Proxy(env.CATALOG, {
      get: () => () => {
        throw new Error("away");
      },
    });
    const service = testService({ METRICS, CATALOG: broken });
    expect((await service.fetch("/works/OL1W.json")).status).toBe(500);
    expect(of("failure").map(({ texts }) => texts[0])).toEqual(["failure", "request"]);
  });

  it("count batches of queues, also failed ones", async () => {
    const batch = (queue: string): MessageBatch => ({
      queue,
      messages: [
        {
          id: "m1",
          body: { change: 1 },
          timestamp: new Date(0),
          attempts: 1,
          ack: () => {},
          retry: () => {},
        },
      ],
      metadata: { metrics: { backlogCount: 5, backlogBytes: 100 } },
      ackAll: () => {},
      retryAll: () => {},
    });
    await worker.queue(batch("carrel-index"), { ...env, METRICS });
    await expect(worker.queue(batch("carrel-unknown"), { ...env, METRICS })).rejects.toThrow(/no consumer/);
    expect(of("queue").map(({ texts, numbers: [, ...numbers] }) => [...texts, ...numbers])).toEqual([
      ["carrel-index", "done", 1, 5],
      ["carrel-unknown", "failed", 1, 5],
    ]);
  });

  it("record the steps of scheduled tasks, and levels", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), { ...env, METRICS });
    expect(of("sweep").map(({ texts }) => texts)).toContainEqual(["index", "done"]);
    const levels = Object.fromEntries(
      of("level").map(({ texts: [name], numbers: [value] }) => [name, value]),
    );
    expect(levels).toMatchObject({ import_items: 0, index_jobs: expect.any(Number), behind_search: 0 });
    expect(levels["patrons_bytes"]).toBeGreaterThan(10_000);
  });

  it("are optional", async () => {
    const settings = { METRICS: undefined } as unknown as Partial<Env>;
    expect((await testService(settings).fetch("/health")).status).toBe(200);
    expect(points).toEqual([]);
  });
});

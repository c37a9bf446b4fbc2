import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import worker from "../../../src/worker/index.ts";
import { emptyQueues } from "../../support/worker/queues.ts";
import { edition } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

interface Row {
  identifier: string;
  isbn: string | null;
  asin: string | null;
  priority: string;
  status: string;
}
const staged = async (): Promise<Row[]> => {
  const sql = "SELECT identifier, isbn, asin, priority, status FROM lookup ORDER BY identifier";
  return (await env.CATALOG.prepare(sql).all<Row>()).results;
};
const low = { priority: "low", status: "pending" };
const high = { priority: "high", status: "pending" };
const POLL = { timeout: 50_000, interval: 50 };

const service = testService();

beforeAll(async () => {
  await service.load(edition(1, { isbn_10: ["0451526538"], identifiers: { amazon: ["B000FC1PJI"] } }));
});
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  await emptyQueues();
  await env.CATALOG.prepare("DELETE FROM lookup").run();
});

describe("identifiers that the catalog does not have", () => {
  it("are staged once each by way of the queue", async () => {
    const keys = [
      "ISBN:0451526538",
      "B000FC1PJI",
      "ISBN:0-14-032872-6",
      "9780140328721",
      "9798776159572",
      "0590353427",
      "B00TEST001",
      "b00test001",
      "OCLC:12345",
      "OL9M",
      "ISBN:junk",
    ].join(",");
    expect(Object.keys(Object(await service.json(`/api/books.json?bibkeys=${keys}`)))).toEqual([
      "ISBN:0451526538",
      "B000FC1PJI",
    ]);
    await expect.poll(staged, POLL).toEqual([
      { identifier: "0590353427", isbn: "0590353427", asin: null, ...low },
      { identifier: "9780140328721", isbn: "9780140328721", asin: null, ...low },
      { identifier: "9798776159572", isbn: "9798776159572", asin: null, ...low },
      { identifier: "B00TEST001", isbn: null, asin: "B00TEST001", ...low },
    ]);
  });

  it("are raised in priority and never lowered", async () => {
    await service.json("/api/books.json?bibkeys=ISBN:9780140328721");
    await expect.poll(staged, POLL).toMatchObject([low]);
    await service.json("/api/books.json?bibkeys=ISBN:0140328726&high_priority=true");
    await expect.poll(staged, POLL).toMatchObject([high]);
    await service.fetch("/isbn/9780140328721");
    await service.fetch("/isbn/0590353427");
    await expect.poll(staged, POLL).toMatchObject([low, high]);
  });

  it.each([
    ["/isbn/9780140328721", "9780140328721"],
    ["/isbn/0-14-032872-6.json", "9780140328721"],
    ["/ISBN/B00TEST002", "B00TEST002"],
  ])("are staged by %s", async (path, identifier) => {
    expect((await service.fetch(path)).status).toBe(404);
    await expect.poll(staged, POLL).toMatchObject([{ identifier, ...low }]);
  });

  it("are not staged while the affiliate lookup is off", async () => {
    const sent: unknown[] = [];
    const queue = new Proxy(env.LOOKUPS, {
      get: (of, name) =>
        name === "sendBatch" ? async (batch: unknown) => sent.push(batch) : Reflect.get(of, name),
    });
    const answer = "/api/books.json?bibkeys=ISBN:9780140328721";
    await testService({ LOOKUPS: queue, AFFILIATE_LOOKUP: "off" }).json(answer);
    expect(sent).toHaveLength(0);
    await testService({ LOOKUPS: queue }).json(answer);
    expect(sent).toHaveLength(1);
  });

  it("are answered normally when the queue fails", async () => {
    const queue = new Proxy(env.LOOKUPS, {
      get: (of, name) =>
        name === "sendBatch" ? () => Promise.reject(new Error("queue is full")) : Reflect.get(of, name),
    });
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await testService({ LOOKUPS: queue }).fetch("/api/books.json?bibkeys=9780140328721");
    expect(errors).toHaveBeenCalledOnce();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({});
  });
});

describe("the lookup consumer", () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse("2026-11-21T12:00:00Z");
  const deliver = async (timestamp: number, ...bodies: unknown[]) => {
    const messages = bodies.map((body, index) => ({
      id: `m${index}`,
      timestamp: new Date(timestamp),
      attempts: 1,
      body,
    }));
    const batch = createMessageBatch("carrel-lookups", messages);
    const context = createExecutionContext();
    await worker.queue(batch, env);
    return getQueueResult(batch, context);
  };
  const requested = async (): Promise<string | undefined> =>
    (await env.CATALOG.prepare("SELECT requested FROM lookup").first<{ requested: string }>())?.requested;
  const isbn = (value: string, priority = "low") => ({ isbn: value, asin: null, priority });

  it("stores one row for duplicates and both lengths of an ISBN", async () => {
    for (let turn = 0; turn < 2; turn += 1) await deliver(NOW, isbn("0140328726"), isbn("9780140328721"));
    expect(await staged()).toHaveLength(1);
  });

  it("drops invalid messages and keeps the others", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const junk = [null, "x", {}, { isbn: 5 }, isbn("9780140328721", "urgent"), { isbn: "9".repeat(100) }];
    const { outcome } = await deliver(NOW, ...junk, isbn("9780140328721"), {
      isbn: null,
      asin: null,
      priority: "low",
    });
    expect(outcome).toBe("ok");
    expect(errors).toHaveBeenCalledTimes(junk.length);
    expect(await staged()).toMatchObject([{ identifier: "9780140328721" }]);
  });

  it("requests the same book again after a day", async () => {
    await deliver(NOW, isbn("9780140328721"));
    await env.CATALOG.prepare("UPDATE lookup SET status = 'done'").run();
    await deliver(NOW + 23 * HOUR, isbn("9780140328721"));
    expect(await staged()).toMatchObject([{ status: "done" }]);
    expect(await requested()).toBe("2026-11-21T12:00:00.000000");
    await deliver(NOW + 24 * HOUR, isbn("9780140328721"));
    expect(await staged()).toMatchObject([{ status: "pending" }]);
    expect(await requested()).toBe("2026-11-22T12:00:00.000000");
  });
});

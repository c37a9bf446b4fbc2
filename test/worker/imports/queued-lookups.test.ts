import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { LOOKUP_LOST_MS, continueLookups } from "../../../src/worker/imports/lookups.ts";
import worker from "../../../src/worker/index.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const ISBN = "9780140328721";
const HIT = { title: "Matilda", source_records: ["amazon:0140328726"], isbn_10: ["0140328726"] };
const AFFILIATE = "http://affiliate.test";

/** A queue that only remembers what it was sent. */
const sent: { body: unknown; delay: number | undefined }[] = [];
const lookupQueue = new Proxy(env.LOOKUPS, {
  get: (of, name) =>
    name === "send"
      ? async (body: unknown, options?: QueueSendOptions) => sent.push({ body, delay: options?.delaySeconds })
      : Reflect.get(of, name),
});
const bindings = { ...env, AFFILIATE_URL: AFFILIATE, LOOKUPS: lookupQueue };

const deliver = async (bodies: unknown[], to: Env = bindings) => {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(NOW),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch("carrel-lookups", messages);
  const context = createExecutionContext();
  await worker.queue(batch, to);
  return getQueueResult(batch, context);
};
const wanted = (isbn: string, more: object = {}) => ({ isbn, asin: null, priority: "low", ...more });
const lookups = async () =>
  (await env.CATALOG.prepare("SELECT identifier, status FROM lookup ORDER BY identifier").all()).results;
const items = async () =>
  (
    await env.CATALOG.prepare(
      `SELECT ia_id, status, data, name AS batch FROM import_item i JOIN import_batch b ON b.id = i.batch_id`,
    ).all<{ ia_id: string; status: string; data: string; batch: string }>()
  ).results;

/** Fakes the affiliate; returns the requested addresses. */
function affiliate(answer: () => Response): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    asked.push(String(input).replace(`${AFFILIATE}/isbn/`, ""));
    return answer();
  });
  return asked;
}

beforeEach(async () => {
  sent.length = 0;
  await env.CACHE.delete("affiliate:v1:0140328726");
  await env.CATALOG.batch(
    ["lookup", "import_item", "import_batch"].map((table) => env.CATALOG.prepare(`DELETE FROM ${table}`)),
  );
});
afterEach(() => vi.restoreAllMocks());

it("looks up missed books, and stages the results", async () => {
  const asked = affiliate(() => Response.json({ status: "success", hit: HIT }));
  await deliver([wanted(ISBN), wanted("0140328726", { priority: "high" })]);
  expect(asked).toHaveLength(1);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "done" }]);
  const [item, ...others] = await items();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ ia_id: "amazon:0140328726", status: "staged", batch: "amz" });
  expect(JSON.parse(item?.data ?? "")).toEqual(HIT);
  // Its members are in order.
  expect(item?.data).toMatch(/^\{"isbn_10"/);
});

it("does not look up staged books", async () => {
  affiliate(() => Response.json({ status: "success", hit: HIT }));
  await deliver([wanted(ISBN)]);
  await env.CATALOG.prepare("UPDATE lookup SET status = 'pending'").run();
  const asked = affiliate(() => Response.json({ status: "not found" }));
  await deliver([wanted(ISBN)]);
  expect(asked).toEqual([]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "done" }]);
});

it("passes the priority to the affiliate", async () => {
  const asked = affiliate(() => Response.json({ status: "not found" }));
  await deliver([wanted(ISBN, { priority: "high" }), { isbn: null, asin: "B000FC1PJI", priority: "low" }]);
  expect(asked.toSorted()).toEqual([
    "0140328726?high_priority=true&stage_import=true",
    "B000FC1PJI?high_priority=false&stage_import=true",
  ]);
  expect(await lookups()).toEqual([
    { identifier: ISBN, status: "failed" },
    { identifier: "B000FC1PJI", status: "failed" },
  ]);
  expect(await items()).toEqual([]);
});

it.each<[string, () => Response]>([
  ["has queued it", () => Response.json({ status: "submitted", queue: 4 })],
  ["fails", () => new Response("", { status: 500 })],
])("retries a few times when the affiliate %s", async (_what, answer) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  affiliate(answer);
  await deliver([wanted(ISBN)]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "pending" }]);
  for (let times = 1; times < 5; times += 1) {
    const next = sent.shift();
    expect(next).toEqual({ body: wanted(ISBN, { asked: times }), delay: 60 * times });
    await deliver([next?.body]);
  }
  expect(sent).toEqual([]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "failed" }]);
});

it("repeats a lookup whose message was lost, for the last time", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  affiliate(() => new Response("", { status: 500 }));
  await deliver([wanted(ISBN)]);
  sent.length = 0;
  const sweepAt = (now: number) =>
    continueLookups({ ...jobsOf(bindings), sources: { ...systemSources, now: () => now } });
  await sweepAt(NOW + LOOKUP_LOST_MS - 1);
  expect(sent).toEqual([]);
  await sweepAt(NOW + LOOKUP_LOST_MS);
  expect(sent).toEqual([{ body: wanted(ISBN, { asked: 4 }), delay: 240 }]);
  await deliver([sent[0]?.body]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "failed" }]);
  await sweepAt(NOW + LOOKUP_LOST_MS);
  expect(sent).toHaveLength(1);
});

it("fails for a record without a source", async () => {
  affiliate(() => Response.json({ status: "success", hit: { title: "Matilda" } }));
  await deliver([wanted(ISBN)]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "failed" }]);
  expect(await items()).toEqual([]);
});

it("requests nothing without configuration", async () => {
  const asked = affiliate(() => Response.json({ status: "not found" }));
  await deliver([wanted(ISBN)], { ...bindings, AFFILIATE_URL: "" });
  expect(asked).toEqual([]);
  expect(await lookups()).toEqual([{ identifier: ISBN, status: "pending" }]);
});

it("looks up all books of a batch", async () => {
  const asked = affiliate(() => Response.json({ status: "not found" }));
  await deliver(Array.from({ length: 12 }, (_, index) => wanted(`97911000000${10 + index}`)));
  expect(asked).toHaveLength(12);
  expect((await lookups()).every((row) => row["status"] === "failed")).toBe(true);
});

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import { MESSAGE_ITEMS_MAX, queueItems } from "../../../src/worker/imports/import-queue.ts";
import { MESSAGE_WAIT_SECONDS } from "../../../src/worker/imports/jobs.ts";
import {
  bookOf,
  bury,
  deliver,
  deliverOnce,
  emptyImports,
  jobsOf,
  loadLanguages,
  statuses,
  storedItems,
} from "../../support/worker/import-queue.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const jobs = jobsOf(service);
const { catalog } = jobs.stores;

beforeAll(() => loadLanguages(service));
beforeEach(emptyImports);

const now = (): string => formatDatetime(service.now);

describe("messages of imports", () => {
  it("are dropped if malformed, and retried after failures, or if another version may know them", async () => {
    expect(await deliver(jobs, "x", null)).toEqual(["done", "done"]);
    const unknown = [{ items: [] }, { items: ["1"] }, { split: -1 }, { merge: 1 }];
    expect(await deliver(jobs, ...unknown)).toEqual(Array(4).fill("again after 60 s"));
    const stores = { ...jobs.stores, catalog: { prepare: gone, batch: gone } as unknown as D1Database };
    const broken = { ...jobs, stores };
    const again = (seconds: number) => `again after ${seconds} s`;
    expect(await deliver(broken, { items: [1] }, { split: 1 })).toEqual([
      again(MESSAGE_WAIT_SECONDS),
      again(MESSAGE_WAIT_SECONDS),
    ]);
    expect(await deliverOnce(broken, { items: [1] }, 4)).toEqual(again(8 * MESSAGE_WAIT_SECONDS));
  });

  it("end their items and the splitting of their file if they become dead letters", async () => {
    const { batch: mine } = await openBatch(catalog, { name: "messages", now: now() });
    const items = [80, 81].map((n) => ({ ia_id: `test:${n}`, data: JSON.stringify(bookOf(n)) }));
    const { pending: ids } = await addItems(catalog, items, { batch: mine.id, now: now() });
    await deliver(jobs, { items: ids.slice(0, 1) });
    const file = { object: "nowhere", format: "jsonl", size: 5, digest: null } as const;
    const { batch } = await openBatch(catalog, { name: "dead", now: now(), file });
    await bury(jobs, { items: ids }, { split: batch.id }, "x");
    expect(await statuses()).toEqual({ "test:80": "created", "test:81": "failed: internal-error" });
    expect((await storedItems())[1]?.comments).toContain("could not be delivered");
    expect(await service.json(`/import/batch/${batch.id}.json`)).toMatchObject({
      batch: { state: "failed", problem: expect.stringContaining("could not be delivered") },
    });
  });

  it("hold a bounded number of items", async () => {
    const sent: number[][] = [];
    const queue = {
      sendBatch: (batch: Iterable<{ body: { items: number[] } }>) => {
        for (const { body } of batch) sent.push(body.items);
        return Promise.resolve();
      },
    } as unknown as Queue;
    const ids = Array.from({ length: 1234 }, (_, index) => index + 1);
    await queueItems(queue, ids);
    expect(sent.flat()).toEqual(ids);
    expect(Math.max(...sent.map(({ length }) => length))).toBe(MESSAGE_ITEMS_MAX);
  });
});

function gone(): never {
  throw new Error("D1 is gone");
}

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { claimItems } from "../../../src/db/imports/claims.ts";
import { type NewItem, addItems } from "../../../src/db/imports/items.ts";
import { findStagedOrPending } from "../../../src/db/imports/lookups.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { jobImportContext } from "../../../src/worker/imports/import-record.ts";
import { IMPORT_ATTEMPTS, IMPORT_WAIT_SECONDS, importClaimed } from "../../../src/worker/imports/jobs.ts";
import { IMPORT_LOSSES_MAX, IMPORT_LOST_MS, resumeImports } from "../../../src/worker/imports/resume.ts";
import {
  OPERATOR,
  bookOf,
  deliver,
  emptyImports,
  jobsOf,
  loadLanguages,
  statuses,
  storedItems,
} from "../../support/worker/import-queue.ts";
import { settleImports } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const jobs = jobsOf(service);
const { catalog } = jobs.stores;

beforeAll(() => loadLanguages(service));
beforeEach(async () => {
  await emptyImports();
  service.now += 3_600_000;
});

const now = (): string => formatDatetime(service.now);

/** Adds items without sending messages; returns their ids. */
async function added(items: readonly NewItem[], name = "batch of a test"): Promise<number[]> {
  const { batch } = await openBatch(catalog, { name, now: now() });
  await addItems(catalog, items, { batch: batch.id, now: now() });
  return (await storedItems(batch.id)).map(({ id }) => id);
}

const item = (n: number, more: Record<string, unknown> = {}): NewItem => ({
  ia_id: `test:${n}`,
  data: JSON.stringify(bookOf(n, more)),
});

const editionsFrom = async (n: number): Promise<string[]> =>
  (await service.json(`/query.json?type=/type/edition&source_records=test:${n}`)) as string[];

/** Jobs with another desk of imports. */
function withDesk(importRecord: () => Promise<object>) {
  // Uses no other method of the namespace.
  const importDesk = { getByName: () => ({ importRecord }) } as unknown as Env["IMPORT_DESK"];
  return { ...jobs, stores: { ...jobs.stores, importDesk } };
}
const brokenDesk = (message: string) => withDesk(() => Promise.reject(new Error(message)));

/** Jobs with a queue of which nothing arrives. */
const silent = {
  ...jobs,
  stores: {
    ...jobs.stores,
    importQueue: { send: () => Promise.resolve(), sendBatch: () => Promise.resolve() } as unknown as Queue,
  },
};

describe("import_item", () => {
  const only = (ia_id: string, status?: NewItem["status"]): NewItem => ({ ia_id, ...(status && { status }) });
  // Only old rows repeat an id in two batches: new ones are skipped.
  async function insert(batch: string, ia_id: string, status = "pending"): Promise<number> {
    const { batch: made } = await openBatch(catalog, { name: batch, now: now() });
    await env.CATALOG.prepare(
      "INSERT INTO import_item (batch_id, ia_id, status, added_time) VALUES (?1, ?2, ?3, ?4)",
    )
      .bind(made.id, ia_id, status, now())
      .run();
    return made.id;
  }

  it("does not claim staged items", async () => {
    const ids = await added([only("idb:u1", "staged"), only("idb:u2", "staged")]);
    expect(await claimItems(catalog, ids, { claim: "c", now: now() })).toEqual([]);
    service.now += IMPORT_LOST_MS;
    expect(await resumeImports(jobs)).toMatchObject({ released: 0, sent: 0 });
  });

  it("finds staged and pending items", async () => {
    await insert("q3", "idb:u1");
    await insert("q4", "idb:u1", "staged");
    await insert("q4", "idb:u2", "staged");
    await insert("q5", "idb:u1", "failed");
    const ids = async (name: string) => (await findStagedOrPending(catalog, [name]))?.ia_id;
    expect([await ids("u1"), await ids("u2"), await ids("u3")]).toEqual(["idb:u1", "idb:u2", undefined]);
  });
});

describe("a queued item", () => {
  it("is imported once, however often its message is delivered", async () => {
    const ids = await added([item(1), item(2), item(3)]);
    const message = { items: ids };
    const ends = await Promise.all([
      deliver(jobs, message, message),
      deliver(jobs, message),
      deliver(jobs, { items: ids.toReversed() }),
    ]);
    expect(ends.flat()).toEqual(["done", "done", "done", "done"]);
    expect(await statuses()).toEqual({ "test:1": "created", "test:2": "created", "test:3": "created" });
    for (const n of [1, 2, 3]) expect(await editionsFrom(n)).toHaveLength(1);
    await deliver(jobs, message);
    expect(await statuses()).toEqual({ "test:1": "created", "test:2": "created", "test:3": "created" });
  });

  it("fails with code and reason if its record is invalid, and keeps the record", async () => {
    const ids = await added([
      item(20, { title: "" }),
      item(21, { publish_date: "2999" }),
      item(22, { languages: ["not a language"] }),
      item(25, { source_records: ["test:25"], works: [{ key: "/works/OL9999999W" }] }),
      { ia_id: "test:23", data: '{"title"}' },
      { ia_id: "no-such-item" },
      item(24),
    ]);
    await deliver(jobs, { items: ids });
    expect(await statuses()).toEqual({
      "test:20": "failed: invalid-value",
      "test:21": "failed: published-in-future-year",
      "test:22": "created",
      "test:25": "failed: bad-request",
      "test:23": "failed: invalid-json",
      "no-such-item": "failed: invalid-ia-identifier",
      "test:24": "created",
    });
    const [wrong] = await storedItems();
    expect(wrong).toMatchObject({
      data: item(20, { title: "" }).data,
      import_time: now(),
      claim: null,
      attempts: 0,
    });
    expect(wrong?.comments).toContain("String should have at least 1 character");
  });

  it("is imported from the archive if it names an item", async () => {
    const metadata = {
      metadata: {
        identifier: "an_item_of_the_queue",
        mediatype: "texts",
        imagecount: "100",
        title: "A scan",
        creator: ["Somebody Else"],
        publisher: "Paris : Pearson",
        date: "1999",
      },
      files: [],
    };
    await env.ARCHIVE.put("items/an_item_of_the_queue/metadata.json", JSON.stringify(metadata));
    const ids = await added([{ ia_id: "an_item_of_the_queue" }]);
    await deliver(jobs, { items: ids });
    const [done] = await storedItems();
    expect(done).toMatchObject({ status: "created", error: null });
    expect(await service.json(`${done?.ol_key}.json`)).toMatchObject({
      ocaid: "an_item_of_the_queue",
      source_records: ["ia:an_item_of_the_queue"],
    });
  });

  it("is completed from a staged one", async () => {
    const staged = item(30, { isbn_10: ["0306406152"], source_records: ["amazon:0306406152"] });
    await added([{ ...staged, ia_id: "amazon:0306406152", status: "staged" }], "amz");
    const data = JSON.stringify({ title: "Filled", isbn_10: ["0306406152"], source_records: ["test:31"] });
    const [id] = await added([{ ia_id: "test:31", data }]);
    await deliver(jobs, { items: [id] });
    const done = (await storedItems()).find(({ ia_id: name }) => name === "test:31");
    expect(done?.status).toBe("created");
    expect(await service.json(`${done?.ol_key}.json`)).toMatchObject({
      title: "Filled",
      publish_date: "2001",
      source_records: ["test:31", "amazon:0306406152"],
    });
  });

  it("is retried with growing delays after failures of the service, and fails at last", async () => {
    const [id] = await added([item(40)]);
    const broken = brokenDesk("the desk is gone");
    for (let attempt = 1; attempt < IMPORT_ATTEMPTS; attempt += 1) {
      expect(await deliver(broken, { items: [id] })).toEqual(["done"]);
      const wait = IMPORT_WAIT_SECONDS * 2 ** (attempt - 1) * 1000;
      const [stored] = await storedItems();
      expect(stored).toMatchObject({
        status: "pending",
        attempts: attempt,
        claim: null,
        due: formatDatetime(service.now + wait),
        comments: "Error: the desk is gone",
      });
      // Too early, even where the service is well again.
      service.now += wait - 1;
      await deliver(jobs, { items: [id] });
      expect(await statuses()).toEqual({ "test:40": "pending" });
      service.now += 1;
    }
    await deliver(broken, { items: [id] });
    expect(await storedItems()).toMatchObject([
      { status: "failed", error: "internal-error", comments: "Error: the desk is gone", data: item(40).data },
    ]);

    const answer = await service.json("/system/imports", {
      method: "POST",
      headers: { ...OPERATOR, "Content-Type": "application/json" },
      body: JSON.stringify({ retry_failed: "internal-error" }),
    });
    expect(answer).toMatchObject({ retried: 1, sent: 1 });
    await settleImports();
    expect(await statuses()).toEqual({ "test:40": "created" });
  });

  it("succeeds after a failure of the service", async () => {
    const [id] = await added([item(41)]);
    await deliver(brokenDesk("for a moment"), { items: [id] });
    service.now += IMPORT_WAIT_SECONDS * 1000;
    await deliver(jobs, { items: [id] });
    expect(await storedItems()).toMatchObject([
      { status: "created", comments: null, due: null, error: null },
    ]);
  });

  it("waits while the desk is busy, without counting a failure", async () => {
    const [id] = await added([item(42)]);
    const busy = withDesk(() => Promise.resolve({ ok: false, why: "busy" }));
    for (let attempt = 0; attempt <= IMPORT_ATTEMPTS; attempt += 1) {
      await deliver(busy, { items: [id] });
      expect(await storedItems()).toMatchObject([
        {
          status: "pending",
          attempts: 0,
          comments: null,
          due: formatDatetime(service.now + IMPORT_WAIT_SECONDS * 1000),
        },
      ]);
      service.now += IMPORT_WAIT_SECONDS * 1000;
    }
    await deliver(jobs, { items: [id] });
    expect(await statuses()).toEqual({ "test:42": "created" });
  });

  it("waits while the service is read-only, without counting a failure", async () => {
    const ids = await added([item(50)]);
    const set = (value: "on" | "off") => setServiceState(catalog, { value, by: null, changed: now() });
    await set("on");
    expect(await deliver(jobs, { items: ids })).toEqual(["done"]);
    expect(await storedItems()).toMatchObject([{ status: "pending", attempts: 0 }]);
    await set("off");
    await deliver(jobs, { items: ids });
    expect(await statuses()).toEqual({ "test:50": "created" });
  });
});

describe("resumeImports", () => {
  it("sends lost messages again", async () => {
    await added([item(60), item(61)]);
    expect(await resumeImports(jobs)).toEqual({ released: 0, sent: 0, batches: 0 });
    service.now += IMPORT_LOST_MS;
    expect(await resumeImports(jobs)).toEqual({ released: 0, sent: 2, batches: 0 });
    expect(await resumeImports(jobs)).toEqual({ released: 0, sent: 0, batches: 0 });
    await settleImports();
    expect(await statuses()).toEqual({ "test:60": "created", "test:61": "created" });
  });

  it("releases claims whose holder is gone", async () => {
    const ids = await added([item(70), item(71)]);
    const [claimed] = await claimItems(catalog, ids.slice(0, 1), { claim: "gone", now: now() });
    expect(claimed).toMatchObject({ id: ids[0], attempts: 0, format: null });
    await deliver(jobs, { items: ids });
    expect(await statuses()).toEqual({ "test:70": "processing", "test:71": "created" });
    service.now += IMPORT_LOST_MS - 1;
    expect(await resumeImports(jobs)).toMatchObject({ released: 0 });
    service.now += 1;
    expect(await resumeImports(jobs)).toEqual({ released: 1, sent: 1, batches: 0 });
    await settleImports();
    expect(await statuses()).toEqual({ "test:70": "created", "test:71": "created" });
    expect(await editionsFrom(70)).toHaveLength(1);
  });

  it("releases items to their former status", async () => {
    const [id] = await added([{ ...item(72), status: "staged" }]);
    await env.CATALOG.prepare(
      "UPDATE import_item SET status = 'processing', claim = 'c', claimed = ?2, claimed_from = 'staged' WHERE id = ?1",
    )
      .bind(id, now())
      .run();
    expect(await resumeImports(jobs, 0)).toEqual({ released: 1, sent: 0, batches: 0 });
    expect(await statuses()).toEqual({ "test:72": "staged" });
  });

  it("fails an item that crashes the service repeatedly", async () => {
    const [id] = await added([item(73)]);
    for (let loss = 1; loss <= IMPORT_LOSSES_MAX; loss += 1) {
      expect(await statuses()).toEqual({ "test:73": "pending" });
      await claimItems(catalog, [id ?? 0], { claim: `c${loss}`, now: now() });
      expect(await resumeImports(silent, 0)).toMatchObject({ released: 1 });
    }
    expect(await storedItems()).toMatchObject([
      { status: "failed", error: "internal-error", losses: IMPORT_LOSSES_MAX, data: item(73).data },
    ]);
  });

  it("ignores a former holder that comes back", async () => {
    const ids = await added([item(74)]);
    await claimItems(catalog, ids, { claim: "slow", now: now() });
    await resumeImports(silent, 0);
    await claimItems(catalog, ids, { claim: "quick", now: now() });
    const claimed = {
      id: ids[0] ?? 0,
      ia_id: "test:74",
      data: item(74).data ?? "",
      attempts: 0,
      warnings: null,
      format: null,
    };
    await importClaimed(claimed, "slow", jobImportContext(jobs));
    expect(await statuses()).toEqual({ "test:74": "processing" });
    expect(await editionsFrom(74)).toHaveLength(0);
    await importClaimed(claimed, "quick", jobImportContext(jobs));
    expect(await statuses()).toEqual({ "test:74": "created" });
  });
});

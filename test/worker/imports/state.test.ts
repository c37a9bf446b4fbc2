import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
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
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { settleImports } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const jobs = jobsOf(service);
const HTML = { headers: { Accept: "text/html" } };
const HALF_A_DAY_MS = 43_200_000;
let boss: LoggedIn;

beforeAll(async () => {
  boss = await loggedIn(service, "queue_boss", { groups: ["admin"] });
  await loadLanguages(service);
});
beforeEach(async () => {
  await emptyImports();
  const { keys } = await env.CACHE.list();
  await Promise.all(keys.map(({ name }) => env.CACHE.delete(name)));
});

async function add(numbers: readonly number[], more: Record<string, unknown> = {}): Promise<number[]> {
  const now = formatDatetime(service.now);
  const { batch } = await openBatch(env.CATALOG, { name: "numbers", now });
  const items = numbers.map((n) => ({ ia_id: `test:${n}`, data: JSON.stringify(bookOf(n, more)) }));
  return [...(await addItems(env.CATALOG, items, { batch: batch.id, now })).pending];
}

describe("GET /imports", () => {
  it("counts pending and imported items, and items by day", async () => {
    service.now = Date.parse("2026-11-21T22:00:00Z");
    await deliver(jobs, { items: await add([1, 2]) });
    service.now += HALF_A_DAY_MS;
    await deliver(jobs, { items: await add([3]) });
    await deliver(jobs, { items: await add([4], { title: "" }) });
    await add([5, 6, 7, 8]);
    const numbers = await service.json("/imports.json");
    expect(numbers).toMatchObject({
      pending: 4,
      processing: 0,
      imported_last_hour: 2,
      eta_hours: 2,
      by_date: [
        { date: "2026-11-22", counts: { created: 1, failed: 1, pending: 4 }, found: 0 },
        { date: "2026-11-21", counts: { created: 2 }, found: 0 },
      ],
      created_by_day: [
        { date: "2026-11-21", items: 2 },
        { date: "2026-11-22", items: 1 },
      ],
    });
    const { last } = numbers as { last: { ia_id: string; status: string }[] };
    expect(last.map(({ ia_id: id, status }) => `${id} ${status}`)).toEqual([
      "test:4 failed",
      "test:3 created",
      "test:2 created",
      "test:1 created",
    ]);
    // Public numbers are shared for ten seconds.
    await add([9]);
    expect(await service.json("/imports.json")).toMatchObject({ pending: 4 });
    expect(await boss.json("/admin/imports.json")).toMatchObject({ pending: 5 });
    const page = await (await service.fetch("/imports", HTML)).text();
    expect(page).toContain("about 2 h");
    // Titles of imported editions, not keys.
    expect(page).toMatch(
      /<th scope="row"><a href="(\/books\/OL\d+M)">[^/<]+<\/a><\/th>[^]*<a href="\1">OL\d+M</,
    );
    expect(page).not.toContain(">/books/");
    expect(page).toMatch(/As of <time datetime="[\d:TZ-]+"/);
    service.now += 10_000;
    expect(await service.json("/imports.json")).toMatchObject({ pending: 5 });
  });

  it("counts found, modified and matched items as found", async () => {
    service.now = Date.parse("2026-11-21T10:00:00Z");
    const ids = await add([10, 11, 12]);
    const set = env.CATALOG.prepare("UPDATE import_item SET status = ?2 WHERE id = ?1");
    await env.CATALOG.batch(
      ["found", "modified", "matched"].map((status, index) => set.bind(ids[index], status)),
    );
    expect(await service.json("/imports.json")).toMatchObject({ eta_hours: null, by_date: [{ found: 3 }] });
  });
});

describe("GET /admin/imports", () => {
  it("lists errors by code, dead items and unreadable files", async () => {
    service.now = Date.parse("2026-11-21T10:00:00Z");
    await deliver(jobs, { items: await add([20, 21], { title: "" }) });
    const [id] = await add([22]);
    await env.CATALOG.prepare(
      `UPDATE import_item SET status = 'failed', error = 'internal-error', comments = 'no <answer>',
         import_time = ?2 WHERE id = ?1`,
    )
      .bind(id, formatDatetime(service.now))
      .run();
    const file = { object: "nowhere", format: "marc", size: 100, digest: null } as const;
    const { batch } = await openBatch(env.CATALOG, { name: "file", now: formatDatetime(service.now), file });
    await deliver(jobs, { split: batch.id });
    expect(await boss.json("/admin/imports.json")).toMatchObject({
      errors: [
        { error: "invalid-value", items: 2 },
        { error: "internal-error", items: 1 },
      ],
      dead: [{ ia_id: "test:22", comments: "no <answer>" }],
      splitting: [{ name: "file", state: "failed", problem: "The file is missing" }],
      batches: [{ name: "file" }, { name: "numbers" }],
    });
    const page = await (await boss.fetch("/admin/imports", HTML)).text();
    expect(page).toContain("no &lt;answer&gt;");
    expect(page).toContain('stopped: <span lang="en">The file is missing</span>');
    expect(page).toContain('href="/admin/imports/2026-11-21"');
  });

  it("shows the items of a day", async () => {
    service.now = Date.parse("2026-11-19T23:59:59Z");
    await add([30]);
    service.now += 1000;
    await add([31, 32]);
    expect(await boss.json("/admin/imports/2026-11-19.json")).toMatchObject({
      date: "2026-11-19",
      counts: { pending: 1 },
      items: [{ ia_id: "test:30" }],
      next: null,
    });
    expect(await boss.json("/admin/imports/2026-11-20.json")).toMatchObject({ counts: { pending: 2 } });
    expect(await boss.json("/admin/imports/2026-11-20.json?page=2")).toMatchObject({ items: [] });
    const page = await (await boss.fetch("/admin/imports/2026-11-20", HTML)).text();
    expect(page).toContain("test:32");
    expect((await boss.fetch("/admin/imports/2026-13-01")).status).toBe(404);
    expect((await boss.fetch("/admin/imports/yesterday")).status).toBe(404);
  });
});

describe("/admin/imports/add", () => {
  const send = (identifiers: string, headers: Record<string, string> = {}): Promise<Response> =>
    boss.fetch("/admin/imports/add", { method: "POST", body: new URLSearchParams({ identifiers }), headers });

  it("queues items by their ids in a batch of their own", async () => {
    const form = await (await boss.fetch("/admin/imports/add")).text();
    expect(form).toContain('name="identifiers"');
    const response = await send(" an_item_1 \r\n\r\nan_item_2\nan_item_1\n", HTML.headers);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/admin/imports"]);
    await settleImports();
    expect(await statuses()).toEqual({
      an_item_1: "failed: invalid-ia-identifier",
      an_item_2: "failed: invalid-ia-identifier",
    });
    const [first] = await storedItems();
    expect(await service.json(`/import/batch/${first?.batch_id}.json`)).toMatchObject({
      batch: { name: "admin", submitter: "queue_boss" },
    });
    expect(await (await send("an_item_1\nan_item_3")).json()).toEqual({
      ok: "true",
      total_submitted: 2,
      total_queued: 1,
      total_skipped: 1,
      items_skipped: ["an_item_1"],
    });
  });

  it("refuses missing and overlong ids", async () => {
    expect((await send(" \n")).status).toBe(400);
    expect((await send("x".repeat(201))).status).toBe(400);
  });
});

describe("POST /system/imports", () => {
  it("releases recent claims with stale_seconds: 0", async () => {
    service.now = Date.parse("2026-11-21T10:00:00Z");
    const ids = await add([40, 41, 42]);
    await env.CATALOG.prepare(
      `UPDATE import_item SET status = 'processing', claim = 'dead', claimed = ?2, claimed_from = 'pending'
       WHERE id = ?1`,
    )
      .bind(ids[0], formatDatetime(service.now))
      .run();
    const call = async (body?: object) =>
      service.json("/system/imports", {
        method: "POST",
        headers: { ...OPERATOR, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect(await call()).toMatchObject({ released: 0, sent: 0, pending: 2, processing: 1 });
    const { pending, processing, ...done } = Object(await call({ stale_seconds: 0 }));
    expect(done).toEqual({ retried: 0, released: 1, sent: 3, batches: 0, splitting: [] });
    // Sent messages may have been delivered already.
    expect(pending + processing).toBe(3);
    await settleImports();
    expect(await statuses()).toEqual({ "test:40": "created", "test:41": "created", "test:42": "created" });
    expect(await call({ stale_seconds: -1 })).toHaveProperty("detail");
  });
});

import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { allValues } from "../../../src/db/statement.ts";
import { popularityScoreOf } from "../../../src/search/documents/popularity.ts";
import type { WorkCounts } from "../../../src/search/documents/types.ts";
import { workRowId } from "../../../src/search/indexing/ids.ts";
import worker from "../../../src/worker/index.ts";
import { QUEUES } from "../../../src/worker/jobs.ts";
import { planMaintenance } from "../../../src/worker/indexing/maintenance.ts";
import { readProgress } from "../../../src/db/indexing/log.ts";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { SPENT, UNSPENT } from "../../support/worker/budget.ts";
import { breakingDatabase } from "../../support/worker/breaking.ts";
import { delivered, jobsOf } from "../../support/worker/import-queue.ts";
import { indexAll, indexedWorks, testIndexing } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { setWorkCounts } from "../../support/worker/work-counts.ts";

vi.setConfig({ testTimeout: 120_000 });

const service = testService();

beforeEach(emptyStores);
afterEach(() => vi.restoreAllMocks());

const operator = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const load = (...records: readonly TestRecord[]): Promise<unknown> => service.loadUnindexed(...records);
const jobs = async (): Promise<Record<string, unknown>[]> =>
  (await env.SEARCH.prepare("SELECT kind, key, position FROM index_job ORDER BY kind, key").all()).results;
const names = async (): Promise<unknown[]> => [
  ...new Set([...(await indexedWorks()).values()].map(({ document }) => String(document["author_name"]))),
];

describe("an author with very many works", () => {
  const WORKS = 8;
  /** The works are too many to be built at once, and more than one page of a job. */
  const few = (changes: Parameters<typeof testIndexing>[0] = {}) =>
    testIndexing({ showing: { atOnce: 5, page: 3 }, ...changes });

  beforeEach(async () => {
    await load(
      author(1, { name: "Before" }),
      ...Array.from({ length: WORKS }, (_, index) => work(index + 1, { authors: [1] })),
    );
    await indexAll();
    expect(await names()).toEqual(["Before"]);
  });

  it("is renamed by jobs that are stored before the cursor moves", async () => {
    await load(author(1, { name: "After", revision: 2 }));
    expect(await indexNow(few(), SPENT)).toMatchObject({ isBehind: true, works: 0 });
    const { cursor, end } = await readProgress(env.CATALOG, "search");
    expect(cursor).toBe(end);
    expect((await jobs()).map(({ kind, key }) => [kind, key])).toEqual([
      ["author-named", "/authors/OL1A"],
      ["author-shown", "/authors/OL1A"],
    ]);
    await indexAll(few());
    expect(await names()).toEqual(["After"]);
    expect(await jobs()).toEqual([]);
  });

  it("is renamed whichever call fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const breaking = breakingDatabase(env.SEARCH);
    let now = Date.now();
    const indexing = few({ search: breaking.database, now: () => now });
    await load(author(1, { name: "After", revision: 2 }));
    for (let at = 1; breaking.calls >= breaking.failsAt; at += 3) {
      Object.assign(breaking, { calls: 0, failsAt: at });
      await indexAll(indexing).catch(() => undefined);
      // Failed jobs become due again.
      now += 60_000;
    }
    expect(breaking.failsAt).toBeGreaterThan(6);
    expect(await names()).toEqual(["After"]);
    expect(await jobs()).toEqual([]);
  });

  it("is renamed again while the first jobs wait", async () => {
    await load(author(1, { name: "After", revision: 2 }));
    await indexNow(few(), SPENT);
    await load(author(1, { name: "At last", revision: 3 }));
    await indexAll(few());
    expect(await names()).toEqual(["At last"]);
  });
});

describe("counts of ratings and shelves", () => {
  const counts = (stars: number, wanted = 0): WorkCounts => ({
    ratings: [0, 0, 0, 0, stars],
    wantToRead: wanted,
    currentlyReading: 0,
    alreadyRead: 0,
    stoppedReading: 0,
  });
  const rowsOfTexts = () => allValues<number>(env.SEARCH, everyRow);
  const everyRow = { sql: "SELECT rowid FROM work_text_a WHERE work_text_a MATCH ?1", values: ['"ea=0"'] };
  const stored = async (): Promise<unknown[]> =>
    await env.SEARCH.prepare("SELECT id, ratings_count, readinglog_count FROM work_a ORDER BY id").raw();

  it("are indexed when they change, and when a work is built", async () => {
    await setWorkCounts([{ workId: 1, counts: counts(3, 4) }]);
    await load(work(1), work(2));
    await indexAll();
    expect(await stored()).toEqual([
      [1, 3, 4],
      [2, 0, 0],
    ]);
    await setWorkCounts([
      { workId: 2, counts: counts(1) },
      { workId: 99, counts: counts(1) },
    ]);
    await setWorkCounts([{ workId: 1, counts: counts(5, 6) }]);
    await indexAll();
    expect(await stored()).toEqual([
      [1, 5, 6],
      [2, 1, 0],
    ]);
    const status = Object(await service.json("/status"));
    expect(status.projections.counts).toEqual({ change: 4, behind: 0 });
  });

  it("move a work to another popularity, whichever call fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await load(work(1));
    await indexAll();
    expect(await rowsOfTexts()).toEqual([
      workRowId(1, popularityScoreOf({ edition_count: 0, counts: counts(0) })),
    ]);
    await setWorkCounts([{ workId: 1, counts: counts(100, 100_000) }]);
    const breaking = breakingDatabase(env.SEARCH);
    let now = Date.now();
    const indexing = testIndexing({ search: breaking.database, now: () => now });
    for (let at = 1; breaking.calls >= breaking.failsAt; at += 1) {
      Object.assign(breaking, { calls: 0, failsAt: at });
      await indexAll(indexing).catch(() => undefined);
    }
    expect(breaking.failsAt).toBeGreaterThan(3);
    breaking.failsAt = 0;
    now += 60_000;
    await indexAll(indexing);
    expect(await rowsOfTexts()).toEqual([
      workRowId(1, popularityScoreOf({ edition_count: 0, counts: counts(100, 100_000) })),
    ]);
    expect(await jobs()).toEqual([]);
  });
});

describe("the scheduled task", () => {
  it("indexes after a lost message, and plans the maintenance", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    await load(work(1), edition(1, { work: 1 }));
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
    expect((await indexedWorks()).size).toBe(1);
    const planned = (await jobs()).map(({ kind }) => kind);
    expect(planned).toContain("audit-works");
    expect(planned).toContain("merge");
  });
});

/** Lines about the index: messages that other files have sent may fail meanwhile. */
function indexErrors(calls: readonly (readonly unknown[])[]): string[] {
  return calls.map(([line]) => String(line)).filter((line) => line.includes('"event":"index'));
}

describe("index maintenance", () => {
  const DAY_MS = 86_400_000;

  it("repairs wrong, missing and surplus documents", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await load(...[1, 2, 3, 4].map((id) => work(id)), ...[1, 2].map((id) => edition(id, { work: id })));
    await indexAll();
    await planMaintenance(testIndexing());
    const document = `json_set(document, '$.title', 'Wrong')`;
    await env.SEARCH.batch(
      [
        `UPDATE work_document_a SET document = ${document} WHERE id = 1`,
        "DELETE FROM edition_a WHERE work = 2",
        "DELETE FROM work_a WHERE id = 3",
        "DELETE FROM work_document_a WHERE id = 3",
        "UPDATE work_a SET id = 77 WHERE id = 4",
        "UPDATE work_document_a SET id = 77 WHERE id = 4",
      ].map((sql) => env.SEARCH.prepare(sql)),
    );
    await indexAll(testIndexing({ now: () => Date.now() + DAY_MS }));
    const works = await indexedWorks();
    expect([...works].map(([id, one]) => [id, one.document["title"], one.editions.length])).toEqual([
      [1, "Work 1", 1],
      [2, "Work 2", 1],
      [3, "Work 3", 0],
      [4, "Work 4", 0],
    ]);
    const lines = indexErrors(errors.mock.calls);
    expect(lines).toEqual([expect.stringContaining('"count":4')]);
  });

  it("repeats every night", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await load(work(1), author(1), edition(5));
    await indexAll();
    await planMaintenance(testIndexing());
    for (const nights of [1, 2]) await indexAll(testIndexing({ now: () => Date.now() + nights * DAY_MS }));
    expect(indexErrors(errors.mock.calls)).toEqual([]);
    const due = await env.SEARCH.prepare("SELECT min(due) AS due FROM index_job").first<string>("due");
    expect(Date.parse(`${due?.slice(0, 23)}Z`)).toBeGreaterThan(Date.now() + 2 * DAY_MS);
  });
});

describe("POST /system/index", () => {
  it("follows the log, and returns its position", async () => {
    await load(work(1), edition(1, { work: 1 }));
    const answer = await service.fetch("/system/index", { method: "POST", headers: operator });
    expect(await answer.json()).toEqual({
      change: 1,
      end: 1,
      records: 0,
      jobs: 0,
      rebuild: false,
      works: 1,
      finished: true,
    });
    expect((await indexedWorks()).size).toBe(1);
  });
});

describe("index messages", () => {
  it("index a write soon", async () => {
    // Warm, as a running service is.
    await service.load(work(1));
    await expect.poll(async () => (await indexedWorks()).size, { timeout: 50_000 }).toBe(1);
    await service.load(work(2));
    await expect.poll(async () => (await indexedWorks()).size, { timeout: 50_000, interval: 20 }).toBe(2);
  });

  it("share a run within the interval between two runs", async () => {
    const paced = jobsOf(service, { INDEX_INTERVAL_MS: "300" });
    const consumer = QUEUES.find(({ name }) => name === "carrel-index")!;
    const consume = () => delivered(consumer.work, paced, [{}]);
    await consume();
    await service.loadUnindexed(work(1));
    const waits = vi.spyOn(scheduler, "wait").mockImplementationOnce(async (milliseconds) => {
      expect(milliseconds).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThanOrEqual(300);
      await service.loadUnindexed(work(2));
    });
    await consume();
    expect(waits).toHaveBeenCalled();
    expect((await indexedWorks()).size).toBe(2);
  });
});

it("follows works whose documents do not fit into memory together", async () => {
  const text = "x".repeat(900_000);
  const numbers = Array.from({ length: 12 }, (_work, index) => index + 50);
  for (const number of numbers)
    await service.loadUnindexed(work(number, { title: "Large", description: text }));
  expect(await indexNow(testIndexing(), UNSPENT)).toMatchObject({ isBehind: false, works: numbers.length });
  const titles = await env.SEARCH.prepare("SELECT count(*) AS n FROM work_document_a WHERE id >= 50").first(
    "n",
  );
  expect(titles).toBe(numbers.length);
});

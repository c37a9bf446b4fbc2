import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { type BreakingDatabase, breakingDatabase } from "../../support/worker/breaking.ts";
import { CHANGING_CATALOG } from "../../support/worker/changing-catalog.ts";
import { indexAll, indexedWorks, snapshot, testIndexing } from "../../support/worker/indexing.ts";
import { author, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

vi.setConfig({ testTimeout: 300_000 });

const service = testService();
/** Sends the indexer no message: the index follows only when a test says so. */
const load = (records: readonly TestRecord[]): Promise<unknown> => service.loadUnindexed(...records);

beforeEach(emptyStores);
afterEach(() => vi.restoreAllMocks());

/** Follows the log with a database that breaks at one call after the other. */
async function followBreaking(
  breaking: BreakingDatabase,
  indexing: ReturnType<typeof testIndexing>,
): Promise<number> {
  let failures = 0;
  for (let at = 1; ; at += 1) {
    Object.assign(breaking, { calls: 0, failsAt: at });
    try {
      const run = await indexNow(indexing, UNSPENT);
      if (!run.isBehind && breaking.calls < at) return failures;
    } catch {
      failures += 1;
    }
  }
}

describe("indexNow after a failure", () => {
  it.each(["search", "catalog"] as const)("repeats the step, whichever call to %s fails", async (store) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const breaking = breakingDatabase(store === "search" ? env.SEARCH : env.CATALOG);
    const indexing = testIndexing({ [store]: breaking.database });
    let failures = 0;
    for (const records of CHANGING_CATALOG) {
      await load(records);
      failures += await followBreaking(breaking, indexing);
    }
    // The first call of each step fails it; a write that fails is tried again.
    expect(failures).toBeGreaterThanOrEqual(CHANGING_CATALOG.length);
    const broken = await snapshot();
    await emptyStores();
    for (const records of CHANGING_CATALOG) await load(records);
    await indexAll();
    expect(broken).toEqual(await snapshot());
  });
});

describe("a document that the index refuses", () => {
  it("delays no other, and is retried", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const breaking = breakingDatabase(env.SEARCH);
    let now = Date.now();
    const indexing = testIndexing({ search: breaking.database, now: () => now });
    breaking.poison = "Poisonous";
    const works = Array.from({ length: 20 }, (_, index) =>
      work(index + 1, { title: index === 7 ? "Poisonous" : `Work ${index + 1}` }),
    );
    await service.loadUnindexed(...works, author(1));
    await indexAll(indexing);
    expect((await indexedWorks()).size).toBe(19);
    expect(errors).toHaveBeenCalledTimes(1);
    breaking.poison = undefined;
    await indexAll(indexing);
    expect((await indexedWorks()).size).toBe(19);
    now += 60_000;
    await indexAll(indexing);
    expect((await indexedWorks()).get(8)?.document["title"]).toBe("Poisonous");
    expect(await env.SEARCH.prepare("SELECT count(*) AS n FROM index_job").first("n")).toBe(0);
  });

  it("is not set aside when the database refuses everything", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const breaking = breakingDatabase(env.SEARCH);
    breaking.poison = "INSERT INTO work_a";
    await service.loadUnindexed(...Array.from({ length: 20 }, (_, index) => work(index + 1)));
    await expect(indexNow(testIndexing({ search: breaking.database }), UNSPENT)).rejects.toThrow("poisoned");
    const sql = "SELECT change_id AS cursor FROM projection WHERE name = 'search'";
    expect(await env.CATALOG.prepare(sql).first("cursor")).toBe(0);
    expect(await env.SEARCH.prepare("SELECT count(*) AS n FROM index_job").first("n")).toBe(0);
  });
});

describe("concurrent indexing", () => {
  it("makes the same index", async () => {
    for (const records of CHANGING_CATALOG) {
      await load(records);
      await Promise.all([indexAll(), indexAll(), indexAll()]);
    }
    const together = await snapshot();
    await emptyStores();
    for (const records of CHANGING_CATALOG) await load(records);
    await indexAll();
    expect(together).toEqual(await snapshot());
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { QUEUES } from "../../../src/worker/jobs.ts";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { delivered, jobsOf } from "../../support/worker/import-queue.ts";
import { indexAll, snapshot, testIndexing } from "../../support/worker/indexing.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { emptyStores } from "../../support/worker/stored.ts";

/** Calls of all databases for one run of all projections, however many changes wait. */
const CALLS_MAX = 6;

const databases = {
  catalog: countedDatabase(env.CATALOG),
  search: countedDatabase(env.SEARCH),
  patrons: countedDatabase(env.PATRONS),
};
const [catalog, search, patrons] = Object.values(databases).map(({ database }) => database);
const service = testService();

beforeEach(async () => {
  await emptyStores();
  await service.loadUnindexed(
    author(1),
    ...[1, 2, 3].map((n) => work(n, { authors: [1], subjects: ["Sky"] })),
    edition(1, { work: 1 }),
  );
  await indexAll();
  await calls();
  // The lists catch up with the log by a job of their own.
  await settleActivity();
});

/** Delivers a message to the consumer that follows the log, and counts its calls. */
async function calls(): Promise<number> {
  for (const { statements, batches } of Object.values(databases)) {
    statements.length = 0;
    batches.length = 0;
  }
  const jobs = jobsOf(service);
  const stores = Object.assign({}, jobs.stores, { catalog, search, patrons });
  const consumer = QUEUES.find(({ name }) => name === "carrel-index")!;
  await delivered(consumer.work, { ...jobs, stores }, [{}]);
  return Object.values(databases).reduce((sum, one) => sum + roundTrips(one), 0);
}

const CHANGES: readonly [what: string, calls: number, records: readonly TestRecord[]][] = [
  ["a work", CALLS_MAX, [work(1, { title: "Changed", authors: [1], subjects: ["Sea"], revision: 2 })]],
  ["an edition", CALLS_MAX, [edition(1, { work: 1, title: "Changed", revision: 2 })]],
  // The work that it leaves had most editions of its author, whose sums are recomputed.
  ["an edition that moves", 8, [edition(1, { work: 2, revision: 2 })]],
  ["a new book of a new author", CALLS_MAX, [author(2), work(4, { authors: [2] }), edition(4, { work: 4 })]],
  ["an edition without a work", CALLS_MAX, [edition(5)]],
  [
    "12 works",
    CALLS_MAX,
    Array.from({ length: 12 }, (_work, n) =>
      work(n + 1, { authors: [1], revision: n < 3 ? 2 : 1, subjects: [`${n}`] }),
    ),
  ],
  ["a name of an author with three works", CALLS_MAX, [author(1, { name: "Changed", revision: 2 })]],
];

describe("the queue carrel-index", () => {
  it.each(CHANGES)("follows %s in at most %i calls", async (_what, most, records) => {
    await service.loadUnindexed(...records);
    expect(await calls()).toBeLessThanOrEqual(most);
    const followed = await snapshot();
    expect(await indexNow(testIndexing(), UNSPENT)).toMatchObject({ isBehind: false, works: 0 });
    expect(await snapshot()).toEqual(followed);
    const { results } = await env.CATALOG.prepare(
      `SELECT name FROM log_position WHERE change_id = (SELECT max(id) FROM change) ORDER BY name`,
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name)).toEqual(["list-merges", "patron-works", "search"]);
  });

  it("asks three times if nothing has changed", async () => {
    await calls();
    expect(await calls()).toBe(3);
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { indexAll, testIndexing } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { emptyStores } from "../../support/worker/stored.ts";

/** Calls of all databases for one run, however many changes wait: with four of them a change has five at most. */
const CALLS_MAX = 17;

const databases = {
  catalog: countedDatabase(env.CATALOG),
  search: countedDatabase(env.SEARCH),
  patrons: countedDatabase(env.PATRONS),
};
const indexing = testIndexing({
  catalog: databases.catalog.database,
  search: databases.search.database,
  patrons: databases.patrons.database,
});
const service = testService();

beforeEach(async () => {
  await emptyStores();
  await service.loadUnindexed(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }));
  await indexAll();
  for (const { statements, batches } of Object.values(databases)) {
    statements.length = 0;
    batches.length = 0;
  }
});

it.each([1, 12])("indexes %i changes of works in few calls", async (changes) => {
  for (let n = 1; n <= changes; n += 1) {
    const members = { title: `Changed ${n}`, authors: [1], subjects: [`Sky ${n}`] };
    await service.loadUnindexed(work(n, { ...members, revision: n === 1 ? 2 : 1 }));
  }
  expect(await indexNow(indexing)).toEqual({ isBehind: false, works: changes });
  const calls = Object.values(databases).reduce((sum, one) => sum + roundTrips(one), 0);
  expect(calls).toBeLessThanOrEqual(CALLS_MAX);
});

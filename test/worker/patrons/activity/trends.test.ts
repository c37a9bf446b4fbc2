import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { storeActivity } from "../../../../src/db/patrons/activity.ts";
import { followTrends } from "../../../../src/worker/patrons/activity/counts.ts";
import { UNSPENT } from "../../../support/worker/budget.ts";
import { addAccounts, workItem } from "../../../support/worker/activity.ts";
import { breakingDatabase } from "../../../support/worker/breaking.ts";
import { indexAll, testIndexing } from "../../../support/worker/indexing.ts";
import { work } from "../../../support/worker/records.ts";
import { type TestService, testService } from "../../../support/worker/service.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

const HOUR_MS = 3_600_000;
const START = Date.parse("2026-11-16T10:00:00Z");
let service: TestService;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  await service.load(work(1), work(2), work(3));
  await indexAll();
  await addAccounts("ann", "ben", "cid", "dot");
  await followTrends([testIndexing({ now: () => START + 6 * 60_000 })], UNSPENT);
});

/** Patrons who put a work onto a shelf `hours` after the start. */
async function shelve(hours: number, id: number, ...names: string[]): Promise<void> {
  const moved = START + hours * HOUR_MS + 1000;
  const state = { shelf: 1, logged: moved, moved } as const;
  await storeActivity(
    env.PATRONS,
    names.map((patron) => ({ patron, items: [workItem(id, 1 + hours, state)] })),
  );
}
const run = (hours: number, minutes = 6): Promise<void> =>
  followTrends([testIndexing({ now: () => START + hours * HOUR_MS + minutes * 60_000 })], UNSPENT);
const trending = async (): Promise<unknown[]> =>
  Object(
    await service.json(
      "/search.json?q=title:work&sort=trending_score_hourly_sum&fields=key,trending_score_hourly_sum,trending_score_hourly_10",
    ),
  ).docs.map((doc: Record<string, unknown>) => [
    doc["key"],
    doc["trending_score_hourly_sum"],
    doc["trending_score_hourly_10"],
  ]);

describe("trends in the index", () => {
  it("follow shelves hour by hour and order works", async () => {
    await shelve(0, 2, "ann", "ben", "cid");
    await shelve(0, 3, "dot");
    await run(1, 4);
    expect(await trending()).toEqual([
      ["/works/OL1W", 0, 0],
      ["/works/OL2W", 0, 0],
      ["/works/OL3W", 0, 0],
    ]);
    await run(1);
    expect(await trending()).toEqual([
      ["/works/OL2W", 30, 30],
      ["/works/OL3W", 10, 10],
      ["/works/OL1W", 0, 0],
    ]);
    await shelve(1, 1, "ann", "ben", "cid", "dot");
    await run(2);
    expect((await trending())[0]).toEqual(["/works/OL1W", 40, 0]);
    // A day later the first hour is over; only its day counts it.
    await run(26);
    expect(await trending()).toEqual([
      ["/works/OL1W", 0, 0],
      ["/works/OL2W", 0, 0],
      ["/works/OL3W", 0, 0],
    ]);
    const daily = async (): Promise<unknown[]> =>
      (await env.PATRONS.prepare("SELECT work_id, daily FROM work_trend ORDER BY work_id").raw()).map(
        ([id, text]) => [id, JSON.parse(String(text))],
      );
    expect(await daily()).toEqual([
      [1, [40, 0, 0, 0, 0, 0, 0]],
      [2, [30, 0, 0, 0, 0, 0, 0]],
      [3, [10, 0, 0, 0, 0, 0, 0]],
    ]);
    await env.PATRONS.exec("UPDATE work_trend SET daily = '[0,0,0,0,0,0,0]'");
    await run(27);
    expect(await daily()).toEqual([]);
  });

  it("reach the same state after failures at any statement", async () => {
    await shelve(0, 2, "ann", "ben", "cid");
    await shelve(2, 3, "dot");
    for (let failsAt = 1; failsAt < 12; failsAt += 1) {
      const [search, patrons] = [breakingDatabase(env.SEARCH), breakingDatabase(env.PATRONS)];
      (failsAt % 2 === 0 ? search : patrons).failsAt = failsAt;
      const now = (): number => START + 3 * HOUR_MS + 360_000;
      const indexing = testIndexing({ search: search.database, patrons: patrons.database, now });
      await followTrends([indexing], UNSPENT).catch(() => undefined);
    }
    await run(3);
    expect(await trending()).toEqual([
      ["/works/OL2W", 30, 30],
      ["/works/OL3W", 10, 0],
      ["/works/OL1W", 0, 0],
    ]);
  });
});

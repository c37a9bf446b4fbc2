import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { batchGroups } from "../../../src/db/statement.ts";
import { type PrefetchGroups, prefetchStatements, readWorkSources } from "../../../src/db/indexing/works.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

vi.setConfig({ hookTimeout: 120_000 });

/** Editions of works by their numbers; there is room for 3,000 at once. */
const EDITIONS = [2, 2999, 1, 3001];
const BATCH = 1000;

beforeAll(async () => {
  const service = testService();
  const numbers = EDITIONS.map((_count, index) => index + 1);
  const editions = EDITIONS.flatMap((count, index) => Array.from({ length: count }, () => index + 1)).map(
    (of, number) => edition(number + 1, { work: of }),
  );
  await service.loadUnindexed(...numbers.map((number) => work(number)));
  for (let at = 0; at < editions.length; at += BATCH) {
    await service.loadUnindexed(...editions.slice(at, at + BATCH));
  }
});

it.each([
  { asked: [1, 2, 3, 4], read: [[1, 2]], deferred: [2, 3, 4] },
  {
    asked: [2, 3, 4],
    read: [
      [2, 2999],
      [3, 1],
    ],
    deferred: [4],
  },
  { asked: [4], read: [[4, 3000]], deferred: [] },
])(
  "readWorkSources reads whole works of $asked as far as there is room",
  async ({ asked, read, deferred }) => {
    const page = await readWorkSources(env.CATALOG, asked);
    expect(page.works.map(({ id, sources }) => [id, sources.editions.length])).toEqual(read);
    expect(page.deferred).toEqual(deferred);
    expect(page.missing).toEqual([]);
  },
);

it("readWorkSources defers works of which only some editions were read", async () => {
  const tables = "WITH touched AS (SELECT id FROM record WHERE key IN ('/works/OL1W', '/works/OL2W'))";
  const near = await batchGroups<PrefetchGroups>(
    env.CATALOG,
    prefetchStatements({ tables, isEarlier: "1 = 0" }, []),
  );
  expect(await readWorkSources(env.CATALOG, [2], near)).toMatchObject({
    works: [],
    deferred: [2],
    missing: [],
  });
  expect((await readWorkSources(env.CATALOG, [1], near)).works[0]?.sources.editions).toHaveLength(2);
});

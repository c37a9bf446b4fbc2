import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { type WorkCounts, NO_COUNTS } from "../../../src/search/documents/types.ts";
import { indexNow } from "../../../src/worker/indexing/run.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { indexAll, testIndexing } from "../../support/worker/indexing.ts";
import { measured } from "../../support/worker/measured.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { setWorkCounts } from "../../support/worker/work-counts.ts";

const service = testService();
const WORK = { title: "The Sea", authors: [1], subjects: ["Sky"] };

beforeEach(async () => {
  await emptyStores();
  await service.loadUnindexed(
    author(1),
    work(1, WORK),
    work(2, WORK),
    edition(1, { work: 1, publish_date: "1999" }),
    edition(2, { work: 2 }),
  );
  await counted(2, { wantToRead: 1 });
  await indexAll();
});

const counted = (workId: number, counts: Partial<WorkCounts>): Promise<void> =>
  setWorkCounts([{ workId, counts: { ...NO_COUNTS, ...counts } }]);
const load = (record: TestRecord) => () => service.loadUnindexed(record);

/** Rows include those of indexes, by which D1 charges. */
it.each<[what: string, most: number, change: () => Promise<unknown>]>([
  ["a work that only has another revision", 4, load(work(1, { ...WORK, revision: 2 }))],
  ["a title", 11, load(work(1, { ...WORK, title: "The Sky", revision: 2 }))],
  ["a first reader", 13, () => counted(1, { wantToRead: 1 })],
  ["a second reader", 12, () => counted(2, { wantToRead: 2 })],
  ["a reader who moves a book", 6, () => counted(2, { alreadyRead: 1 })],
])("an index run for %s writes at most %i rows", async (_what, most, change) => {
  await change();
  const [sums, search] = measured(env.SEARCH);
  await indexNow(testIndexing({ search }), UNSPENT);
  expect(sums.rowsWritten).toBeGreaterThan(0);
  expect(sums.rowsWritten).toBeLessThanOrEqual(most);
});

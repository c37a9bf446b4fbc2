import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { formatRatingLine, formatReadingLogLine } from "../../../../src/catalog/dumps/dump-lines.ts";
import {
  type DumpPage,
  type DumpPlace,
  DUMP_START,
  readLoggedRows,
  readRatedRows,
} from "../../../../src/db/dumps/read-activity.ts";
import { storeActivity } from "../../../../src/db/patrons/activity.ts";
import { addAccounts, workItem } from "../../../support/worker/activity.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

const DAY = Date.parse("2026-11-20T00:00:00Z");
const NEXT_DAY = DAY + 86_400_000;

beforeAll(async () => {
  await emptyStores();
  await addAccounts("Ann", "ben", "cid");
  const at = (logged: number) => ({ logged, moved: NEXT_DAY * 2 });
  await storeActivity(env.PATRONS, [
    {
      patron: "ann",
      items: [
        workItem(1, 1, { shelf: 1, ...at(DAY), stars: 5, rated: DAY, ratedEdition: 8 }),
        workItem(2, 2, { shelf: 4, ...at(NEXT_DAY - 1), edition: 9 }),
        workItem(3, 3, { shelf: 2, ...at(NEXT_DAY) }),
        workItem(4, 4, { observations: ["1.4"] }),
      ],
    },
    {
      patron: "ben",
      items: [workItem(1, 1, { shelf: 3, ...at(DAY) }), workItem(2, 2, { stars: 1, rated: NEXT_DAY - 1 })],
    },
    { patron: "cid", items: [workItem(1, 1, { stars: 2, rated: NEXT_DAY })] },
  ]);
});

async function all<Row>(read: (after: DumpPlace) => Promise<DumpPage<Row>>): Promise<Row[]> {
  const found: Row[] = [];
  for (let after: DumpPlace | null = DUMP_START; after !== null;) {
    const page: DumpPage<Row> = await read(after);
    found.push(...page.rows);
    after = page.next;
  }
  return found;
}

it.each([1, 2, 100])("shelves are published up to a day, without names, %i a page", async (limit) => {
  const found = await all((after) => readLoggedRows(env.PATRONS, { after, until: NEXT_DAY, limit }));
  expect(found.map((row) => formatReadingLogLine(row, "OL"))).toEqual([
    "/works/OL1W\t\\N\tWant to Read\t2026-11-20",
    "/works/OL1W\t\\N\tAlready Read\t2026-11-20",
    "/works/OL2W\t/books/OL9M\tStopped Reading\t2026-11-20",
  ]);
  expect(JSON.stringify(found)).not.toMatch(/ann|ben/i);
});

it.each([1, 100])("ratings are published up to a day, without names, %i a page", async (limit) => {
  const found = await all((after) => readRatedRows(env.PATRONS, { after, until: NEXT_DAY, limit }));
  expect(found.map((row) => formatRatingLine(row, "OL"))).toEqual([
    "/works/OL1W\t/books/OL8M\t5\t2026-11-20",
    "/works/OL2W\t\\N\t1\t2026-11-20",
  ]);
  expect(JSON.stringify(found)).not.toMatch(/ann|ben/i);
});

it("a page is bounded by the rows it reads, not the rows it returns", async () => {
  const after = { work: 1, patron: "ann" };
  const page = await readRatedRows(env.PATRONS, { after, until: DAY + 1, limit: 2 });
  expect(page).toEqual({ rows: [], next: { work: 1, patron: "cid" } });
});

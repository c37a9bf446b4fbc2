import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "../../../../src/catalog/patrons/csv.ts";
import { readExportPage } from "../../../../src/durable/patron/upkeep.ts";
import { EXPORTED_ROWS } from "../../../../src/worker/patrons/data/export-rows.ts";
import { rowsSchema } from "../../../../src/worker/patrons/data/own-export.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleIndexQueue } from "../../../support/worker/queues.ts";
import { author, deleted, edition, redirected, work, workKey } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
const TIME = Date.parse("2026-02-03T04:05:06Z");
let who: LoggedIn;

beforeAll(async () => {
  who = await loggedIn(service, "Keeper");
  await service.load(
    author(1, { name: "A. Writer" }),
    work(1, { title: 'Rivers, "wide"', authors: [1], subjects: ["Boats", "Water"] }),
    edition(31, { work: 1, isbn_13: ["9780451526533"] }),
    work(2, { title: "=Hills" }),
    work(3),
    deleted(workKey(3), 2),
    work(4),
    redirected(workKey(4), workKey(2)),
    {
      key: "/people/Keeper/lists/OL1L",
      type: "/type/list",
      name: "Mine",
      description: "A list",
      seeds: [{ key: workKey(1) }, "subject:boats"],
    },
    { key: "/people/Keeper/lists/OL2L", type: "/type/list", name: "Empty" },
  );
  await settleIndexQueue();
  const own = env.PATRON.getByName("keeper");
  const put = (id: number, shelf: 1 | 2 | 3 | 4, now: number) =>
    own.shelves.put({ work: id, shelf, edition: id === 1 ? 31 : undefined, keep: true, now });
  await put(1, 3, TIME);
  await put(2, 1, TIME + 1000);
  await put(3, 1, TIME + 2000);
  await own.shelves.rate({ work: 1, stars: 4, edition: 31, now: TIME });
  await own.notes.set({ work: 1, edition: null, text: "two\nlines", now: TIME });
  await own.notes.set({ work: 1, edition: 31, text: "of the edition", now: TIME });
  await own.notes.observe({ work: 1, observed: [{ type: 16, value: 2, isSingle: false }], now: TIME });
  await own.diary.add({ reserved: [5], work: 4, edition: null, type: 3, date: "2026-01", now: TIME });
});

async function csv(type: string): Promise<string[][]> {
  const response = await who.fetch(`/account/export?type=${type}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^text\/csv/);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  const text = await response.text();
  expect(text.endsWith("\r\n")).toBe(true);
  return [...parseCsv(text)];
}

describe("GET /account/export", () => {
  it("exports the reading log, the newest first, without deleted works", async () => {
    const [header, ...rows] = await csv("reading_log");
    expect(header?.join(",")).toBe(
      "Work ID,Title,Authors,First Publish Year,Edition ID,Edition Count,Bookshelf,My Ratings,Ratings Average,Ratings Count,Has Ebook,Subjects,Subject People,Subject Places,Subject Times",
    );
    expect(rows.map(([olid, title]) => [olid, title])).toEqual([
      ["OL2W", "'=Hills"],
      ["OL1W", 'Rivers, "wide"'],
    ]);
    expect(rows[1]?.slice(2, 8)).toEqual(["A. Writer", "", "OL31M", "1", "Already Read", "4"]);
    expect(rows[1]?.slice(10, 12)).toEqual(["False", "Boats | Water"]);
  });

  it("exports notes, reviews, ratings, lists and check-ins", async () => {
    expect(await csv("book_notes")).toEqual([
      ["Work ID", "Edition ID", "Note", "Created On"],
      ["OL1W", "", "two\nlines", "2026-02-03 04:05:06"],
      ["OL1W", "OL31M", "of the edition", "2026-02-03 04:05:06"],
    ]);
    expect(await csv("reviews")).toEqual([
      ["Work ID", "Review Category", "Review Value", "Created On"],
      ["OL1W", "Length", "Medium", "2026-02-03 04:05:06"],
    ]);
    expect(await csv("ratings")).toEqual([
      ["Work ID", "Edition ID", "Title", "Author(s)", "Rating", "Created On"],
      ["OL1W", "OL31M", 'Rivers, "wide"', "A. Writer", "4", "2026-02-03 04:05:06"],
    ]);
    expect((await csv("lists")).map((row) => row.slice(0, 4))).toEqual([
      ["List ID", "List Name", "List Description", "Entry"],
      ["OL1L", "Mine", "A list", "/works/OL1W"],
      ["OL1L", "Mine", "A list", "subject:boats"],
    ]);
    expect(await csv("check_ins")).toEqual([
      ["Work ID", "Edition ID", "Event", "Date", "Created On"],
      ["OL2W", "", "finish", "2026-01", "2026-02-03 04:05:06"],
    ]);
  });

  it("exports everything in one file, with ISBN, title and author", async () => {
    const [header, ...rows] = await csv("library");
    expect(header?.join(",")).toBe(
      "Book Id,Title,Author,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes,Read Count,Owned Copies,Work ID,Edition ID,Readings,Lists,Observations",
    );
    expect(rows[0]).toEqual([
      "1",
      'Rivers, "wide"',
      "A. Writer",
      "",
      "0451526538",
      "9780451526533",
      "4",
      "",
      "2026/02/03",
      "Mine",
      "read",
      "",
      "two\nlines\n\nof the edition",
      "0",
      "0",
      "OL1W",
      "OL31M",
      "",
      "Mine",
      "Length: Medium",
    ]);
    expect(rows.map((row) => row[15])).toEqual(["OL1W", "OL2W", "OL2W"]);
  });

  it("sends the same rows as JSON", async () => {
    const ratings = [
      {
        work_id: "OL1W",
        edition_id: "OL31M",
        title: 'Rivers, "wide"',
        authors: ["A. Writer"],
        rating: 4,
        created_on: "2026-02-03 04:05:06",
      },
    ];
    expect(await who.json("/account/export.json?type=ratings")).toEqual(ratings);
    for (const [accept, type] of [
      ["application/json", "application/json"],
      ["application/json, text/plain, */*", "application/json"],
      ["text/html, application/json", "text/csv; charset=utf-8"],
      ["text/csv, application/json;q=0.5", "text/csv; charset=utf-8"],
      ["*/*", "text/csv; charset=utf-8"],
    ] as const) {
      const response = await who.fetch("/account/export?type=ratings", { headers: { Accept: accept } });
      expect([accept, response.headers.get("Content-Type")]).toEqual([accept, type]);
      if (type === "application/json") expect(await response.json()).toEqual(ratings);
    }
  });

  it("has every row once across parts", async () => {
    const reader = await loggedIn(service, "Heavy");
    const own = env.PATRON.getByName("heavy");
    const works = Array.from({ length: 2 * EXPORTED_ROWS + 7 }, (_, index) => index + 1000);
    await service.loadUnindexed(...works.map((id) => work(id)));
    await own.upkeep.restore({
      shelves: works.map((id) => {
        const shelf = ([1, 2, 3, 4] as const)[id % 4] ?? 1;
        // Several entries of one moment.
        return { work: id, shelf, edition: null, created: 1_000_000 + Math.floor(id / 3) };
      }),
      ratings: [],
    });
    const rows = await reader.json("/account/export.json?type=reading_log");
    const olids = (rows as { work_id: string }[]).map((row) => row.work_id);
    expect(olids).toEqual(works.toReversed().map((id) => `OL${id}W`));
  });

  it("reads each row about once across parts", async () => {
    const [stub, limit] = [env.PATRON.getByName("heavy"), 4];
    const { read, size } = await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
      const exec = (text: string, ...values: SqlStorageValue[]) => {
        const cursor = sql.exec(text, ...values);
        cursors.push(cursor);
        return cursor;
      };
      // The test calls only this method.
      const counting = { exec } as SqlStorage;
      let [after, rows]: [string | null, number] = [null, 0];
      do {
        const page = readExportPage(counting, { type: "reading_log", after, limit });
        [after, rows] = [page.next, rows + page.rows.length];
      } while (after !== null);
      return { read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0), size: rows };
    });
    expect(size).toBe(2 * EXPORTED_ROWS + 7);
    // Each page reads a part of each shelf and uses a fourth; a row costs two reads, by index and by number.
    expect(read).toBeLessThan(20 * size);
  });

  it("ends a part of the library after long notes, and keeps them whole", async () => {
    const stub = env.PATRON.getByName("wordy");
    await stub.upkeep.restore({ shelves: [], ratings: [] });
    await runInDurableObject(stub, (_object, { storage: { sql } }) =>
      sql.exec(`WITH RECURSIVE e (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM e WHERE n < 119)
        INSERT INTO note (work, edition, text, created, updated)
        SELECT 1 + n / 40, n, replace(hex(zeroblob(30000)), '00', 'é '), 0, 0 FROM e`),
    );
    const pageAfter = async (after: number) =>
      (await stub.upkeep.libraryPage({ after, limit: EXPORTED_ROWS })).map(({ work: id, note }) => [
        id,
        note?.length,
      ]);
    const length = 40 * 60_000 + 39 * 2;
    expect(await pageAfter(0)).toEqual([
      [1, length],
      [2, length],
    ]);
    expect(await pageAfter(2)).toEqual([[3, length]]);
  });

  it("validates against the published schema", async () => {
    for (const type of [
      "reading_log",
      "book_notes",
      "reviews",
      "lists",
      "ratings",
      "check_ins",
      "library",
    ] as const) {
      const rows = await who.json(`/account/export.json?type=${type}`);
      expect(rows).not.toEqual([]);
      expect(rowsSchema(type).safeParse(rows).error).toBe(undefined);
    }
    const { paths } = (await service.json("/openapi.json")) as { paths: Record<string, unknown> };
    expect(JSON.stringify(paths["/account/export.json"])).toContain('"first_publish_year"');
  });

  it("refuses other types and redirects to the login", async () => {
    const response = await who.fetch("/account/export?type=everything");
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { detail: [{ loc: ["query", "type"] }] },
    ]);
    const anonymous = await service.fetch("/account/export?type=lists");
    expect(anonymous.status).toBe(303);
    expect(anonymous.headers.get("Location")).toMatch(/^\/account\/login\?redirect=/);
    expect((await service.fetch("/account/export.json?type=lists")).status).toBe(401);
  });
});

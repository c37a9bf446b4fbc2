// Content of the files of a dump.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { isDumpedKey } from "../../../src/catalog/dumps/dump-lines.ts";
import { readNewest } from "../../../src/db/dumps/read-records.ts";
import { storeActivity } from "../../../src/db/patrons/activity.ts";
import { addAccounts, workItem } from "../../support/worker/activity.ts";
import { dumpAll, linesOfFile } from "../../support/worker/dumps.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { type TestRecord, TIME, testService } from "../../support/worker/service.ts";

const service = testService();
const DATE = "2026-11-21";
const DAY = Date.parse("2026-11-20T00:00:00Z");
const lines = (stem: string): Promise<string[]> => linesOfFile(service, `${stem}_${DATE}.txt.gz`);
const keys = async (stem: string): Promise<string[]> =>
  (await lines(stem)).map((line) => line.split("\t")[1] ?? "");

const page = (key: string): TestRecord => ({ key, type: "/type/page", title: key });
const LEFT_OUT = [
  "/people/ann",
  "/people/ann/usergroup",
  "/people/ann/preferences",
  "/people/ann/lists/OL1",
  "/people/ann/lists/XX1L",
  "/people/ann/more/lists/OL1L",
  "/admin/stats/2026-11-01",
  "/b/OL1M",
  "/scan_record/b/OL1M",
  "/scanning",
  "/old/page",
  "/user/ann",
];
const KEPT = [
  "/",
  "/adminis",
  "/a/OL5A",
  "/books",
  "/olden",
  "/people",
  "/people0",
  "/peopl",
  "/usergroup/librarians",
  "/~tilde",
  "/übung",
];

beforeAll(async () => {
  await service.loadUnindexed(
    ...[...LEFT_OUT, ...KEPT].map(page),
    author(1),
    work(1, { authors: [1] }),
    edition(1, { work: 1, languages: [{ key: "/l/eng" }], id: 123 }),
    edition(2, {
      a: { key: "/a/OL1A", deep: [{ key: "/user/ann" }, { key: "/b/x", name: "/b/x" }] },
      when: { type: "/type/datetime", value: "2008-04-01 03:28:50.625462" },
      said: { type: "/type/text", value: "2008-04-01 03:28:50" },
    }),
    redirected("/works/OL2W", "/works/OL1W"),
    deleted("/books/OL3M", 4),
    { key: "/people/ann/lists/OL5L", type: "/type/list", name: "Ann's", seeds: [] },
    { key: "/series/OL6L", type: "/type/series", name: "A series" },
  );
  await service.loadUnindexed(work(1, { authors: [1], revision: 2, title: "Again" }));
  await addAccounts("Ann", "ben");
  await storeActivity(env.PATRONS, [
    {
      patron: "ann",
      items: [
        workItem(9, 1, { shelf: 1, logged: DAY, stars: 5, rated: DAY, ratedEdition: 8 }),
        workItem(1, 2, { shelf: 4, logged: DAY, edition: 9 }),
        workItem(2, 3, { shelf: 4, logged: DAY + 30 * 86_400_000, edition: 9 }),
      ],
    },
    { patron: "ben", items: [workItem(9, 1, { shelf: 3, logged: DAY, stars: 1, rated: DAY })] },
  ]);
  const cover = `INSERT INTO cover (id, category, state, content_type, bytes, width, height, created, updated, deleted)
    VALUES (?1, 'b', 'stored', 'image/png', 9, 30, ?2, ?3, ?3, ?4)`;
  await env.CATALOG.batch([
    env.CATALOG.prepare(cover).bind(12, 45, "2026-10-01T23:59:59.000000", null),
    env.CATALOG.prepare(cover).bind(3, 40, "2026-11-01T00:00:00.000000", null),
    env.CATALOG.prepare(cover).bind(4, 40, "2026-11-01T00:00:00.000000", TIME),
    env.CATALOG.prepare(cover).bind(5, 40, "2026-12-01T00:00:00.000000", null),
  ]);
  await dumpAll(service);
});

describe("records in a dump", () => {
  it("are the public ones", async () => {
    const found = await keys("ol_dump");
    expect(found.filter((key) => LEFT_OUT.includes(key))).toEqual([]);
    const renamed = KEPT.map((key) => (key === "/a/OL5A" ? "/authors/OL5A" : key));
    expect(found).toEqual(expect.arrayContaining(renamed));
    expect(found).toContain("/people/ann/lists/OL5L");
    expect(found.length).toBe(new Set(found).size);
  });

  it("are the same ones for the SQL statement and isDumpedKey", async () => {
    const upTo = Number.MAX_SAFE_INTEGER;
    const rows = await readNewest(env.CATALOG, { after: "", upTo }, { records: 1000, bytes: 1e9 });
    const stated = rows.map(({ key }) => key).filter((key) => isDumpedKey(key, "OL"));
    const { results } = await env.CATALOG.prepare("SELECT key FROM record").all<{ key: string }>();
    const all = results.map(({ key }) => key).filter((key) => isDumpedKey(key, "OL"));
    expect(stated.toSorted()).toEqual(all.toSorted());
    expect(rows.length).toBeLessThan(results.length);
  });

  it("are divided among the files by type", async () => {
    expect(await keys("ol_dump_authors")).toEqual(["/authors/OL1A"]);
    expect(await keys("ol_dump_works")).toEqual(["/works/OL1W"]);
    expect(await keys("ol_dump_editions")).toEqual(["/books/OL1M", "/books/OL2M"]);
    expect(await keys("ol_dump_redirects")).toEqual(["/works/OL2W"]);
    expect(await keys("ol_dump_deletes")).toEqual(["/books/OL3M"]);
    expect(await keys("ol_dump_lists")).toEqual(["/people/ann/lists/OL5L"]);
    const other = await keys("ol_dump_other");
    expect(other).toContain("/series/OL6L");
    expect(other).toHaveLength(KEPT.length + 1);
    const parts = ["authors", "works", "editions", "redirects", "deletes", "lists", "other"];
    const whole = (await Promise.all(parts.map((part) => lines(`ol_dump_${part}`)))).flat();
    expect((await lines("ol_dump")).toSorted()).toEqual(whole.toSorted());
  });

  it("have today's keys, T in times, and no id", async () => {
    const [first = "", second = ""] = (await lines("ol_dump_editions")).map((line) => line.split("\t")[4]);
    expect(JSON.parse(first)).toMatchObject({ languages: [{ key: "/languages/eng" }] });
    expect(JSON.parse(first)).not.toHaveProperty("id");
    expect(JSON.parse(second)).toMatchObject({
      a: { key: "/authors/OL1A", deep: [{ key: "/people/ann" }, { key: "/books/x", name: "/b/x" }] },
      when: { value: "2008-04-01T03:28:50.625462" },
      said: { value: "2008-04-01 03:28:50" },
    });
  });

  it("Q422: have all their revisions in the file of every revision, each once", async () => {
    const revisions = (await lines("ol_cdump")).map((line) => line.split("\t").slice(1, 3).join(" "));
    expect(revisions).toContain("/works/OL1W 1");
    expect(revisions).toContain("/works/OL1W 2");
    expect(revisions.length).toBe(new Set(revisions).size);
    expect(revisions.length).toBe((await lines("ol_dump")).length + 1);
    expect(await lines("ol_cdump")).toEqual(expect.arrayContaining(await lines("ol_dump")));
  });
});

describe("reading logs and ratings in a dump", () => {
  it("Q423: name no patrons, only days, and have an order of their own", async () => {
    expect(await lines("ol_dump_reading-log")).toEqual([
      "/works/OL1W\t/books/OL9M\tStopped Reading\t2026-11-20",
      "/works/OL9W\t\\N\tAlready Read\t2026-11-20",
      "/works/OL9W\t\\N\tWant to Read\t2026-11-20",
    ]);
    expect(await lines("ol_dump_ratings")).toEqual([
      "/works/OL9W\t/books/OL8M\t5\t2026-11-20",
      "/works/OL9W\t\\N\t1\t2026-11-20",
    ]);
  });
});

describe("metadata of covers in a dump", () => {
  it("list visible covers with their day", async () => {
    expect(await lines("ol_dump_covers_metadata")).toEqual([
      "3\t30\t40\t2026-11-01",
      "12\t30\t45\t2026-10-01",
    ]);
  });
});

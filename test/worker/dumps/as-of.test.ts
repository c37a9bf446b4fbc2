// A dump shows the catalog as it was when the dump began.
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DUMP_IDLE_MS, beginFull, sweepDumps } from "../../../src/worker/dumps/schedule.ts";
import { DUMP_ANEW_MS, EMPTY_READS } from "../../../src/worker/dumps/read-catalog.ts";
import { dumpOf, dumping, linesOfFile } from "../../support/worker/dumps.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { put } from "../../support/worker/writing.ts";

const DATE = "2026-11-21";
/** So low that the records below fill two chunks. */
const LIMITS = { chunkBytes: 4000, statementRecords: 10 };
let service: TestService;
let writer: LoggedIn;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  // Two chunks: what comes later changes a record of each.
  const long = Array.from({ length: 10 }, (_, n) => work(20 + n, { description: "long ".repeat(180) }));
  await service.loadUnindexed(...long, work(1), edition(1, { work: 1 }), work(9), work(99));
  await service.loadUnindexed(work(9, { revision: 2, title: "Second" }));
  writer = await loggedIn(service, "Writer", { bot: true });
});

const lines = async (stem: string): Promise<string[]> => {
  const found = await linesOfFile(service, `${stem}_${DATE}.txt.gz`);
  return found.map((line) => {
    const [type, key, revision, , document = ""] = line.split("\t");
    return `${type} ${key} ${revision} ${JSON.parse(document).title}`;
  });
};

async function edit(key: string, title: string, type = "/type/work"): Promise<void> {
  const stored = Object(await service.json(`${key}.json`));
  const { status, body } = await put(writer, `${key}.json`, { ...stored, title, type: { key: type } });
  expect(status, JSON.stringify(body)).toBe(200);
}

it("leaves edits and new records made meanwhile to the next dump", async () => {
  const making = dumping(service, { limits: LIMITS });
  await beginFull(making.jobs);
  await edit("/works/OL1W", "Edited before anything was read");
  await making.step();
  await edit("/works/OL9W", "Edited between two steps");
  await edit("/works/OL99W", "Edited twice");
  await edit("/works/OL99W", "Edited twice indeed");
  await edit("/books/OL1M", "Edited too", "/type/edition");
  const { status } = await put(writer, "/books/OL500M.json", {
    key: "/books/OL500M",
    type: { key: "/type/edition" },
    title: "New",
  });
  expect(status).toBe(200);
  await making.run();
  expect(await dumpOf("full", DATE)).toMatchObject({ state: "published" });
  const newest = await lines("ol_dump");
  const short = newest.filter((line) => !/OL2\dW/.test(line) && !line.includes("/people/"));
  expect(short.toSorted()).toEqual([
    "/type/edition /books/OL1M 1 Edition 1",
    "/type/work /works/OL1W 1 Work 1",
    "/type/work /works/OL99W 1 Work 99",
    "/type/work /works/OL9W 2 Second",
  ]);
  const all = await lines("ol_cdump");
  expect(all.filter((line) => /OL(?:1|9|99)[WM] /.test(line)).toSorted()).toEqual([
    "/type/edition /books/OL1M 1 Edition 1",
    "/type/work /works/OL1W 1 Work 1",
    "/type/work /works/OL99W 1 Work 99",
    "/type/work /works/OL9W 1 Work 9",
    "/type/work /works/OL9W 2 Second",
  ]);
});

it("Q505: begins anew after a load, and contains all of it", async () => {
  const making = dumping(service, { limits: LIMITS });
  await beginFull(making.jobs);
  const { change_id: first } = await dumpOf("full", DATE);
  await making.step();
  await service.loadUnindexed(edition(1, { title: "Corrected", modified: "2026-11-02T00:00:00.000000" }));
  await service.loadUnindexed(deleted("/works/OL9W", 3));
  await edit("/works/OL1W", "Edited");
  await making.run();
  const anew = await dumpOf("full", DATE);
  expect(anew).toMatchObject({ state: "open", stage: "records", position: "{}" });
  expect(anew.change_id).toBeGreaterThan(first);
  const left = await env.CATALOG.prepare("SELECT count(*) AS n FROM dump_member").first();
  expect(left).toEqual({ n: 0 });
  // Left to the next dump.
  await edit("/works/OL1W", "Edited again");
  service.now += DUMP_IDLE_MS;
  await sweepDumps(making.jobs);
  await making.run();
  expect(await dumpOf("full", DATE)).toMatchObject({ state: "published", attempts: 1 });
  expect(await lines("ol_dump_editions")).toEqual(["/type/edition /books/OL1M 1 Corrected"]);
  expect(await lines("ol_dump_deletes")).toHaveLength(1);
  expect((await lines("ol_cdump")).filter((line) => /OL[19]W /.test(line)).toSorted()).toEqual([
    "/type/delete /works/OL9W 3 undefined",
    "/type/work /works/OL1W 1 Work 1",
    "/type/work /works/OL1W 2 Edited",
    "/type/work /works/OL9W 1 Work 9",
    "/type/work /works/OL9W 2 Second",
  ]);
  expect((await env.ARCHIVE.list({ prefix: "dumps/" })).objects).toEqual([]);
});

const tooLate = (): void => void (service.now += DUMP_ANEW_MS);

it("Q424: contains revisions corrected by a load meanwhile", async () => {
  const making = dumping(service, { limits: LIMITS });
  await beginFull(making.jobs);
  tooLate();
  await service.loadUnindexed(edition(1, { title: "Corrected", modified: "2026-11-02T00:00:00.000000" }));
  await service.loadUnindexed(deleted("/works/OL9W", 3));
  await making.run();
  expect(await lines("ol_dump_editions")).toEqual(["/type/edition /books/OL1M 1 Corrected"]);
  expect(await lines("ol_dump_deletes")).toEqual([]);
  expect((await lines("ol_dump_works")).filter((line) => line.includes("OL9W"))).toEqual([
    "/type/work /works/OL9W 2 Second",
  ]);
});

it("Q424: contains revisions corrected by a load, even if edited afterwards", async () => {
  const making = dumping(service, { limits: LIMITS });
  await beginFull(making.jobs);
  tooLate();
  const modified = "2026-11-02T00:00:00.000000";
  await service.loadUnindexed(work(9, { title: "First, corrected", modified }));
  await service.loadUnindexed(work(1, { title: "Corrected", modified }));
  await edit("/works/OL1W", "Edited");
  await making.run();
  expect((await lines("ol_cdump")).filter((line) => /OL[19]W /.test(line)).toSorted()).toEqual([
    "/type/work /works/OL1W 1 Corrected",
    "/type/work /works/OL9W 1 First, corrected",
    "/type/work /works/OL9W 2 Second",
  ]);
});

it("ends a step among very many new records, and resumes there", async () => {
  const making = dumping(service, { limits: LIMITS });
  await beginFull(making.jobs);
  const count = LIMITS.statementRecords * EMPTY_READS + 1;
  await env.CATALOG.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS BIGINT))
     INSERT INTO record (id, key, type, revision, change_id, flags, created, last_modified, document)
     SELECT -i, '/a' || substr(CAST(1000000 + i AS TEXT), 2), '/type/page', 1, 1000000, 0, '', '', '{}' FROM n`,
  )
    .bind(count)
    .run();
  await making.step();
  const { stage, position } = await dumpOf("full", DATE);
  expect([stage, JSON.parse(position)]).toEqual(["records", { after: "/a000200" }]);
  await making.run();
  expect(await lines("ol_dump_editions")).toEqual(["/type/edition /books/OL1M 1 Edition 1"]);
});

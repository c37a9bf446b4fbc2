import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { type TestRecord, documentOf, dumpLine, testService } from "../../support/worker/service.ts";
import { emptyStores, indexRows, sequences } from "../../support/worker/stored.ts";

const service = testService();
beforeEach(emptyStores);

const at = (second: number): { modified: string } => ({
  modified: `2026-11-02T00:00:${String(second).padStart(2, "0")}.000000`,
});
const send = async (...lines: string[]) => {
  const response = await service.loadText(lines.join("\n"));
  expect(response.status).toBe(200);
  return response.json();
};
const NOTHING = { time: "", created: 0, updated: 0, unchanged: 0, kept: 0, rejected: [] };

describe("POST /system/load", () => {
  it("reports counts, the change and a bookmark", async () => {
    const response = await service.loadText([dumpLine(work(1)), dumpLine(author(1))].join("\n"));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...NOTHING,
      changes: [expect.any(Number)],
      time: expect.any(String),
      created: 2,
    });
    expect(response.headers.get("X-Carrel-Bookmark")).toMatch(/^[\w-]+$/);
  });

  it("logs one change a transaction", async () => {
    const { changes } = await service.load(work(1), author(1));
    const [row] = Object(await service.json("/works/OL1W.json?m=history"));
    expect(row).toMatchObject({
      id: changes[0],
      action: "bulk_update",
      comment: "Loaded from a dump",
      bot: true,
    });
    expect(await service.json("/authors/OL1A.json?m=history")).toMatchObject([{ id: changes[0] }]);
  });

  it("is idempotent", async () => {
    const records = [
      work(1, at(1)),
      work(1, { revision: 2, ...at(2) }),
      edition(1, { isbn_10: ["0451526538"] }),
    ];
    const first = await service.load(...records);
    const rows = await indexRows();
    expect(first).toMatchObject({ created: 2, updated: 1, unchanged: 0 });
    expect(await service.load(...records)).toEqual({ ...NOTHING, changes: [], unchanged: 3 });
    expect(await service.load(...records.toReversed())).toEqual({ ...NOTHING, changes: [], unchanged: 3 });
    expect(await indexRows()).toEqual(rows);
    expect(await service.json("/works/OL1W.json?m=history")).toHaveLength(2);
  });

  it("stores documents unchanged and completes their envelope", async () => {
    const text = '{"title":"Ümläute \\u00fc","n":1.0,"empty":{},"id":5,"created":"2008-04-01 03:28:50"}';
    await send(`/type/work\t/works/OL1W\t7\t2026-11-02 00:00:01\t${text}`);
    expect(await service.json("/works/OL1W.json")).toEqual({
      title: "Ümläute ü",
      n: 1,
      empty: {},
      key: "/works/OL1W",
      type: { key: "/type/work" },
      revision: 7,
      latest_revision: 7,
      created: { type: "/type/datetime", value: "2008-04-01T03:28:50.000000" },
      last_modified: { type: "/type/datetime", value: "2026-11-02T00:00:01.000000" },
    });
  });

  it("splits large batches into transactions", async () => {
    const records = Array.from({ length: 30 }, (_, index) => work(index + 1, { notes: "x".repeat(60_000) }));
    const { changes, created } = await service.load(...records);
    expect(changes.length).toBeGreaterThan(1);
    expect(created).toBe(30);
    expect(await service.json("/query.json?type=/type/work&limit=100")).toHaveLength(30);
  });
});

describe("bad lines", () => {
  const json = JSON.stringify(documentOf(work(1)));
  const line = (...columns: string[]): string => columns.join("\t");
  it("are rejected with a reason while the others are stored", async () => {
    const bad: [string, RegExp][] = [
      ["", /5 tab-separated columns/],
      [
        line("/type/work", "/works/OL1W", "1", "2026-11-02T00:00:00", json),
        /last_modified of the document differs/,
      ],
    ];
    const answer = await send(dumpLine(work(8)), ...bad.map(([text]) => text), dumpLine(work(9)));
    expect(answer).toMatchObject({
      created: 2,
      rejected: bad.map(([, reason], index) => ({ line: index + 2, reason: expect.stringMatching(reason) })),
    });
    expect(await service.json("/query.json?type=/type/work")).toHaveLength(2);
  });

  it("include documents above 1 MiB", async () => {
    const answer = await send(dumpLine(work(1, { notes: "x".repeat(1024 * 1024) })), dumpLine(work(2)));
    expect(answer).toMatchObject({
      created: 1,
      rejected: [{ line: 1, reason: expect.stringMatching(/longer than/) }],
    });
  });

  it("exclude documents just below 1 MiB in any script", async () => {
    const records = [
      work(1, { notes: "x".repeat(1024 * 1024 - 600) }),
      work(2, { notes: "日".repeat(340_000) }),
    ];
    expect(await service.load(...records)).toMatchObject({ created: 2, rejected: [] });
    expect(await service.json("/works/OL2W.json")).toEqual(documentOf(records[1]!));
  });
});

describe("large bodies", () => {
  const post = (body: BodyInit, headers = {}) =>
    service.fetch("/system/load", {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${env.LOAD_TOKEN}`, ...headers },
    });
  const LIMIT = 8 * 1024 * 1024;

  it("are refused by their declared length", async () => {
    const response = await post("x".repeat(LIMIT + 1), { "Content-Length": String(LIMIT + 1) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      error: "too_large",
      message: expect.stringContaining(String(LIMIT)),
    });
  });

  it("are refused while streaming", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });
    expect((await post(endless)).status).toBe(413);
    expect(sent).toBeLessThan(2 * LIMIT);
  });

  it("are refused by their number of lines", async () => {
    const response = await post("x\n".repeat(2001));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "bad_data" });
    expect((await post("x\n".repeat(2000))).status).toBe(200);
  });
});

describe("indexes of the latest revision", () => {
  const EDITION = edition(1, {
    work: 1,
    title: "Rivers",
    isbn_10: ["0451526538"],
    ocaid: "rivers00",
    languages: [{ key: "/languages/eng" }],
    ...at(1),
  });
  const findings = async (): Promise<Record<string, unknown>> => ({
    isbn: (await service.fetch("/isbn/9780451526533")).status,
    ia: (await service.fetch("/ia/rivers00")).status,
    title: await service.json("/query.json?type=/type/edition&title=Rivers"),
    members: Object(await service.json(`/works/OL1W/editions.json?now=${(service.now += 1)}`)).size,
  });
  const FOUND = { isbn: 302, ia: 302, title: [{ key: "/books/OL1M" }], members: 1 };
  const LOST = { isbn: 404, ia: 404, title: [], members: 0 };

  beforeEach(async () => {
    await service.load(work(1), language("eng", "English"), EDITION);
    expect(await findings()).toEqual(FOUND);
  });

  it.each<[string, TestRecord]>([
    ["deletion", deleted("/books/OL1M", 2, at(2))],
    ["redirect", { ...redirected("/books/OL1M", "/books/OL2M"), ...at(2) }],
    ["another type", { key: "/books/OL1M", type: "/type/page", title: "Page", revision: 2, ...at(2) }],
    ["other values", edition(1, { work: 2, revision: 2, ...at(2) })],
  ])("lose a record by %s and regain it by revival", async (_name, record) => {
    const before = await indexRows();
    await service.load(record);
    expect(await findings()).toEqual(LOST);
    expect(
      (await indexRows()).filter((row) => row.includes('"identifier"') || row.includes('"language"')),
    ).toEqual([]);
    await service.load({ ...EDITION, revision: 3, ...at(3) });
    expect(await findings()).toEqual(FOUND);
    expect(await indexRows()).toEqual(before);
  });

  it("lose all rows of deleted records", async () => {
    await service.load(deleted("/books/OL1M", 2, at(2)), deleted("/works/OL1W", 2, at(2)));
    await service.load(deleted("/languages/eng", 2, at(2)));
    expect(await indexRows()).toEqual([]);
  });
});

it("sequences are at the highest number of every kind", async () => {
  await service.load(
    work(7),
    work(3),
    edition(12),
    author(1),
    deleted("/works/OL20W", 1),
    language("eng", "English"),
  );
  await service.load(
    { key: "/people/jane/lists/OL4L", type: "/type/list" },
    { key: "/series/OL9L", type: "/type/series" },
    { key: "/lists/OL2L", type: "/type/list" },
    { key: "/tags/OL5T", type: "/type/tag" },
    { key: "/publishers/OL6P", type: "/type/publisher" },
    { key: "/works/XX99W", type: "/type/work" },
  );
  const expected = {
    list: 9,
    type_author_seq: 1,
    type_edition_seq: 12,
    type_publisher_seq: 6,
    type_tag_seq: 5,
    type_work_seq: 20,
  };
  expect(await sequences()).toEqual(expected);
  await service.load(work(8), edition(2));
  expect(await sequences()).toEqual(expected);
});

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FILE_PART_BYTES, fileKey } from "../../../src/worker/imports/stored-file.ts";
import { SPLIT_IDLE_MS, resumeImports } from "../../../src/worker/imports/resume.ts";
import {
  PART_RECORDS,
  SPLIT_PAUSE_SECONDS,
  SPLIT_PENDING_MAX,
  splitBatch,
} from "../../../src/worker/imports/split-batch.ts";
import { joined, marcBytes } from "../../support/marc/build-marc.ts";
import {
  OPERATOR,
  bookOf,
  deliver,
  emptyImports,
  jobsOf,
  linesOf,
  loadLanguages,
  putFile,
  statuses,
  storedItems,
} from "../../support/worker/import-queue.ts";
import { SPENT } from "../../support/worker/budget.ts";
import { losing, settleImports } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const jobs = jobsOf(service);

beforeAll(() => loadLanguages(service));
beforeEach(async () => {
  await emptyImports();
  service.now += 3_600_000;
});

interface Answer {
  readonly batch: {
    readonly id: number;
    readonly state: string;
    readonly position: number;
    readonly records: number;
    readonly skipped: number;
    readonly problem: string | null;
  };
}

async function put(name: string, bytes: string | Uint8Array<ArrayBuffer>, format = "jsonl"): Promise<number> {
  const response = await putFile(service, name, bytes, `format=${format}`);
  expect([response.status, await response.clone().text()]).toEqual([
    200,
    expect.stringContaining("splitting"),
  ]);
  return (await response.json<Answer>()).batch.id;
}

const act = (name: string, body: object): Promise<Response> =>
  service.fetch(`/system/imports/${name}`, {
    method: "POST",
    headers: { ...OPERATOR, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

const batchOf = async (id: number): Promise<Answer["batch"]> =>
  ((await service.json(`/import/batch/${id}.json`)) as Answer).batch;

const books = (from: number, count: number) =>
  linesOf(...Array.from({ length: count }, (_, index) => bookOf(from + index)));

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("an import file", () => {
  it("becomes a batch of imported records", async () => {
    const text = `# comment\n${books(1, 3)}{"title":\n${books(1, 1)}`;
    const id = await put("first.jsonl", text);
    await settleImports();
    expect(await statuses()).toEqual({
      "test:1": "created",
      "test:2": "created",
      "test:3": "created",
      [`batch:first.jsonl:${text.indexOf('{"title":\n')}:10`]: "failed: invalid-json",
    });
    expect(await batchOf(id)).toMatchObject({
      state: "ready",
      records: 6,
      skipped: 1,
      position: text.length,
      problem: null,
    });
    expect((await storedItems(id)).map(({ place }) => place)).toEqual([2, 3, 4, 5]);
  });

  it("shows what its imports dropped: by filter, on the page and as CSV", async () => {
    const warned = { ...bookOf(1), languages: ["zzz"], isbn_13: ["978-0"] };
    const id = await put("warned.jsonl", linesOf(warned, bookOf(2)));
    await settleImports();
    const batch = await service.json(`/import/batch/${id}.json?warnings=true`);
    expect(batch).toMatchObject({
      only_warned: true,
      items: [
        { ia_id: "test:1", warnings: expect.arrayContaining([expect.objectContaining({ value: "zzz" })]) },
      ],
    });
    const csv = await service.fetch(`/import/batch/${id}.csv`);
    expect([csv.status, csv.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = (await csv.text()).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines.slice(1).every((line) => line.includes("test:1"))).toBe(true);
    const page = await service.fetch(`/import/batch/${id}?warnings=true`, {
      headers: { Accept: "text/html" },
    });
    const html = await page.text();
    expect(html).toContain("test:1");
    expect(html).not.toContain("test:2");
  });

  it("of MARC is split into records, which have their places as sources", async () => {
    const records = [1, 2].map((n) =>
      marcBytes({
        fields: [
          `001 q${n}`,
          "008 850101s1985    nyu           000 0 eng  ",
          `245 10‡aMarc of the queue ${n}`,
          "260   ‡aNew York‡bA House‡c1985",
        ],
      }),
    );
    const bytes = new Uint8Array(joined([...records, new TextEncoder().encode("00005")]));
    await put("queue_item/part.mrc", bytes, "marc");
    await settleImports();
    const length = records[0]?.length ?? 0;
    const first = `marc:queue_item/part.mrc:0:${length}`;
    expect(await statuses()).toEqual({
      [first]: "created",
      [`marc:queue_item/part.mrc:${length}:${length}`]: "created",
      [`marc:queue_item/part.mrc:${2 * length}:5`]: "failed: invalid-marc-record",
    });
    const [made] = await storedItems();
    expect(await service.json(`${made?.ol_key}.json`)).toMatchObject({
      title: "Marc of the queue 1",
      source_records: [first],
    });
    expect(await env.ARCHIVE.head("items/queue_item/part.mrc")).not.toBeNull();
  });

  it("changes nothing the second time", async () => {
    const text = books(20, 4);
    const id = await put("twice.jsonl", text);
    await settleImports();
    const before = await storedItems();
    expect((await putFile(service, "twice.jsonl", text, "format=jsonl")).status).toBe(200);
    const other = await put("twice-again.jsonl", text);
    await settleImports();
    expect(await storedItems()).toEqual(before);
    expect(await batchOf(other)).toMatchObject({ state: "ready", records: 4, skipped: 4 });
    expect(await batchOf(id)).toMatchObject({ records: 4, skipped: 0 });
  });

  it("of many parts is split once by concurrent and interrupted workers", async () => {
    const count = PART_RECORDS * 3 + 7;
    const text = books(1000, count);
    const id = await losing(() => put("parts.jsonl", text));
    // Every message stores one part.
    const hasty = { ...jobs, budget: SPENT };
    await losing(async () => {
      await Promise.all([
        deliver(hasty, { split: id }),
        deliver(hasty, { split: id }),
        deliver(hasty, { split: id }),
      ]);
      const { state, records } = await batchOf(id);
      expect([state, records % PART_RECORDS]).toEqual(["splitting", 0]);
      await Promise.all([splitBatch(id, jobs), splitBatch(id, hasty)]);
      await splitBatch(id, jobs);
    });
    expect(await batchOf(id)).toMatchObject({
      state: "ready",
      records: count,
      skipped: 0,
      position: text.length,
    });
    const items = await storedItems(id);
    expect(items.map(({ ia_id: name }) => name)).toEqual(
      Array.from({ length: count }, (_, index) => `test:${1000 + index}`),
    );
    expect(items.map(({ place }) => place)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    await splitBatch(id, jobs);
    expect(await storedItems(id)).toHaveLength(count);
  });

  it("waits while very many items are pending", async () => {
    const id = await losing(() => put("waiting.jsonl", books(35, 2)));
    await env.CATALOG.prepare(
      `INSERT INTO import_item (batch_id, added_time, ia_id, sent)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?2 AS BIGINT))
       SELECT ?1, '2026-01-01', 'wait:' || i, '9999' FROM n`,
    )
      .bind(id, SPLIT_PENDING_MAX)
      .run();
    const sent: [object, object][] = [];
    const send = (body: object, options: object) => Promise.resolve(void sent.push([body, options]));
    // Uses no other method of the queue.
    const importQueue = { send } as unknown as Queue;
    const watched = { ...jobs, stores: { ...jobs.stores, importQueue } };
    service.now += SPLIT_IDLE_MS;
    await splitBatch(id, watched);
    expect(sent).toEqual([[{ split: id }, { delaySeconds: SPLIT_PAUSE_SECONDS }]]);
    expect(await batchOf(id)).toMatchObject({ state: "splitting", records: 0 });
    expect(await resumeImports(watched)).toMatchObject({ batches: 0 });
    await env.CATALOG.prepare("DELETE FROM import_item WHERE ia_id = 'wait:1'").run();
    await losing(() => splitBatch(id, jobs));
    expect(await batchOf(id)).toMatchObject({ state: "ready", records: 2 });
  });

  it("is resumed by the scheduled task when its messages are lost", async () => {
    const id = await losing(() => put("lost.jsonl", books(30, 2)));
    expect(await resumeImports(jobs)).toMatchObject({ batches: 0 });
    service.now += SPLIT_IDLE_MS;
    expect(await resumeImports(jobs)).toMatchObject({ batches: 1 });
    await settleImports();
    expect(await batchOf(id)).toMatchObject({ state: "ready", records: 2 });
    expect(await statuses()).toEqual({ "test:30": "created", "test:31": "created" });
  });

  it("fails with the reason if unreadable, and can be reopened", async () => {
    const files: [string, string, string, unknown][] = [
      ["none.xml", "<a/>", "marcxml", "The file has no records in this format"],
      ["packed.mrc", "PK\u0003\u0004", "marc", expect.stringContaining("ZIP archive")],
      ["broken.xml", "<feed", "opds", expect.any(String)],
    ];
    let id = 0;
    for (const [name, bytes, format, problem] of files) {
      id = await put(name, bytes, format);
      await settleImports();
      expect(await batchOf(id)).toMatchObject({ state: "failed", records: 0, problem });
    }
    await env.ARCHIVE.delete(fileKey("broken.xml"));
    expect(await (await act("broken.xml", { action: "reopen" })).json()).toMatchObject({
      batch: { state: "splitting" },
    });
    await settleImports();
    expect(await batchOf(id)).toMatchObject({ state: "failed", problem: "The file is missing" });
    expect((await act("nothing.xml", { action: "reopen" })).status).toBe(404);
  });
});

describe("/system/imports/{name}", () => {
  it("checks the digest, and recognises a file by it", async () => {
    const text = books(40, 1);
    const digest = await sha256(text);
    const wrong = await putFile(service, "digest.jsonl", text, `format=jsonl&digest=${"0".repeat(64)}`);
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("wasn’t stored")]);
    expect((await putFile(service, "digest.jsonl", text, `format=jsonl&digest=${digest}`)).status).toBe(200);
    const begin = { action: "begin", size: text.length };
    expect(await (await act("digest.jsonl", { ...begin, digest })).json()).toMatchObject({
      batch: { name: "digest.jsonl" },
      upload: null,
      part_bytes: FILE_PART_BYTES,
    });
    for (const other of [
      await act("digest.jsonl", { ...begin, digest: "1".repeat(64) }),
      await act("digest.jsonl", { ...begin, size: 1 }),
      await putFile(service, "digest.jsonl", `${text} `, "format=jsonl"),
    ])
      expect(other.status).toBe(409);
    expect(await (await env.ARCHIVE.get(fileKey("digest.jsonl")))?.text()).toBe(text);
  });

  it("overwrites no file of an item, and adopts one without a batch", async () => {
    const text = books(45, 1);
    await env.ARCHIVE.put(fileKey("scan/scan_meta.mrc"), text, { sha256: await sha256(text) });
    const replaced = async (bytes: string, query = "format=jsonl") =>
      (await putFile(service, "scan/scan_meta.mrc", bytes, query)).status;
    const other = text.replace("45", "46");
    expect(await replaced(`${text} `)).toBe(409);
    expect(await replaced(other, `format=jsonl&digest=${await sha256(other)}`)).toBe(409);
    expect((await act("scan/scan_meta.mrc", { action: "begin", size: 1 })).status).toBe(409);
    expect(await (await env.ARCHIVE.get(fileKey("scan/scan_meta.mrc")))?.text()).toBe(text);
    expect(await replaced(text, `format=jsonl&digest=${await sha256(text)}`)).toBe(200);
    await settleImports();
    expect(await statuses()).toEqual({ "test:45": "created" });
  });

  it("refuses files without format, length or valid name", async () => {
    for (const [name, bytes, query, status] of [
      ["f.jsonl", "{}", "", 400],
      ["f.jsonl", "{}", "format=pdf", 422],
      ["a/b/c", "{}", "format=jsonl", 422],
      ["f.jsonl", "", "format=jsonl", 400],
    ] as const)
      expect((await putFile(service, name, bytes, query)).status).toBe(status);
    expect((await putFile(service, "../f", "{}", "format=jsonl")).status).not.toBe(200);
    const large = await service.fetch("/system/imports/f.jsonl?format=jsonl", {
      method: "PUT",
      body: "{}",
      headers: { ...OPERATOR, "Content-Length": String(FILE_PART_BYTES + 1) },
    });
    expect(large.status).toBe(413);
  });

  it("takes large files in parts", async () => {
    const begun = await act("large.jsonl", { action: "begin", size: FILE_PART_BYTES + 1 });
    const { upload } = await begun.json<{ upload: string }>();
    // The runtime takes parts of five megabytes at least, but for the last.
    const first = `${"#".repeat(5 * 1024 * 1024 - 1)}\n`;
    const parts: { part: number; etag: string }[] = [];
    for (const [index, bytes] of [first, books(50, 2)].entries()) {
      const query = `upload=${encodeURIComponent(upload)}&part=${index + 1}`;
      const response = await putFile(service, "large.jsonl", bytes, query);
      expect(response.status).toBe(200);
      parts.push(await response.json());
    }
    const complete = { action: "complete", upload, parts, format: "jsonl" };
    const done = await act("large.jsonl", complete);
    const { batch } = await done.json<Answer>();
    expect(batch).toMatchObject({ state: "splitting", size: first.length + books(50, 2).length });
    await settleImports();
    expect(await statuses()).toMatchObject({ "test:50": "created", "test:51": "created" });
    // The answer may have been lost.
    expect(await (await act("large.jsonl", complete)).json()).toMatchObject({ batch: { id: batch.id } });
    const wrong = await putFile(service, "large.jsonl", "x", "upload=nothing&part=1");
    expect(wrong.status).toBe(400);
    expect((await act("never.jsonl", { ...complete, upload: "nothing" })).status).toBe(400);
  });

  it("makes a batch of a file in R2", async () => {
    await env.ARCHIVE.put(fileKey("there.jsonl"), books(60, 1));
    const register = { action: "register", format: "jsonl" };
    expect((await act("there.jsonl", register)).status).toBe(200);
    await settleImports();
    expect(await statuses()).toEqual({ "test:60": "created" });
    expect((await act("missing.jsonl", register)).status).toBe(404);
  });
});

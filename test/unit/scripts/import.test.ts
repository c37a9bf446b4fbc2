import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FileError, batchName, formatOf, measure, partsOf } from "../../../scripts/lib/import-files.ts";
import { RefusedError, call } from "../../../scripts/lib/service.ts";
import {
  filePath,
  follow,
  isUnexpected,
  itemsOf,
  rejectLine,
  tabLine,
  takeUp,
  upload,
  warningLines,
} from "../../../scripts/lib/import-batch.ts";

const folder = mkdtempSync(path.join(tmpdir(), "carrel-imports-"));
function file(name: string, content: string | Buffer): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

interface Sent {
  readonly what: string;
  readonly body: unknown;
}

/** A service that gives these answers in turn, what it was sent, and the milliseconds that the client waited. */
function service(...answers: (object | number | Error)[]) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { method = "GET", body } = init ?? {};
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : body;
    sent.push({
      what: `${method} ${decodeURIComponent(String(url).replace("http://carrel.test", ""))}`,
      body: typeof text === "string" && text.startsWith("{") ? JSON.parse(text) : text,
    });
    const answer = answers[sent.length - 1] ?? {};
    if (answer instanceof Error) throw answer;
    return typeof answer === "number" ? new Response("no", { status: answer }) : Response.json(answer);
  };
  return { sent, waits, target: { url: "http://carrel.test", token: "t", fetch, sleep } };
}

describe("files of records", () => {
  it.each([
    ['\uFEFF {"title":1}', "jsonl"],
    ["# comment\n", "jsonl"],
    ["00714cam", "marc"],
    ['<?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim">', "marcxml"],
    ['<feed xmlns="http://www.w3.org/2005/Atom"><x xmlns="http://www.loc.gov/MARC21/slim"/>', "opds"],
    ['<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', "rdf"],
    [
      '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><record xmlns="info:lc/xmlns/marcxchange-v2">',
      "marcxml",
    ],
    ["<collection><record><leader>00000nam</leader>", "marcxml"],
    ["<html>", undefined],
    ["title,author", undefined],
  ])("%j is %s", (text, format) => expect(formatOf(Buffer.from(text))).toBe(format));

  it.each(["PK\u0003\u0004", "=LDR  00000nam"])("%j is named as not read", (text) => {
    expect(() => formatOf(Buffer.from(text))).toThrow(FileError);
  });

  it("are measured and cut without compression", async () => {
    const packed = file("a.jsonl.gz", gzipSync("{}\n".repeat(1000)));
    const plain = file("a.jsonl", "{}\n".repeat(1000));
    expect(await measure(packed)).toEqual(await measure(plain));
    expect(await measure(packed)).toMatchObject({ size: 3000, format: "jsonl" });
    const lengths: number[] = [];
    for await (const part of partsOf(packed, 1024)) lengths.push(part.length);
    expect(lengths).toEqual([1024, 1024, 952]);
    await expect(measure(file("empty", ""))).rejects.toThrow("is empty");
    await expect(measure(file("damaged.gz", "not packed"))).rejects.toThrow(/damaged\.gz cannot be read/);
    await expect(measure(path.join(folder, "absent"))).rejects.toThrow(FileError);
  });

  it.each([
    ["/x/Books All.2016.mrc.gz", undefined, true, "Books-All.2016.mrc"],
    ["/x/_a.xml", undefined, true, "a.xml"],
    ["/x/a.mrc", "item/b.mrc", true, "item/b.mrc"],
    ["/x/a.mrc", "item", false, "item/a.mrc"],
  ])("%s with --batch %s", (name, batch, isOne, expected) => {
    expect(batchName(name, { batch, isOne })).toBe(expected);
  });
});

describe("call", () => {
  it("retries a 503 and a lost connection with growing waits, but no refusal", async () => {
    const { sent, waits, target } = service(503, new TypeError("fetch failed"), { ok: 1 });
    expect(await call(target, "/x", { method: "POST", json: { a: 1 } })).toEqual({ ok: 1 });
    expect(sent).toHaveLength(3);
    expect(waits).toEqual([500, 1000]);
    for (const one of sent) expect(one).toEqual({ what: "POST /x", body: { a: 1 } });
    const refusing = service(409);
    await expect(call(refusing.target, "/x")).rejects.toThrow(RefusedError);
    expect(refusing.sent).toHaveLength(1);
    expect(refusing.waits).toEqual([]);
    expect(filePath("item/a.mrc")).toBe("/system/imports/item/a.mrc");
  });
});

describe("upload", () => {
  const batch = { id: 7, name: "a", state: "splitting" };
  const wanted = (name: string, size: number) => ({
    file: file(name, "x".repeat(size)),
    name,
    format: "marc",
    size,
    digest: `${name}-${process.pid}`,
  });

  it("sends nothing of an existing file", async () => {
    const { sent, target } = service({ batch, upload: null, part_bytes: 10 });
    expect(await upload(wanted("known", 5), target, () => undefined)).toEqual({ batch, isNew: false });
    expect(sent).toHaveLength(1);
  });

  it("sends a small file as a whole", async () => {
    const { sent, target } = service({ batch: null, upload: null, part_bytes: 10 }, { batch });
    expect(await upload(wanted("small", 5), target, () => undefined)).toEqual({ batch, isNew: true });
    expect(sent[1]).toEqual({
      what: `PUT /system/imports/small?format=marc&digest=small-${process.pid}`,
      body: "xxxxx",
    });
  });

  it("continues with the interrupted part, and restarts a lost upload", async () => {
    const large = wanted("large", 25);
    const begin = (id: string) => ({ batch: null, upload: id, part_bytes: 10 });
    const tag = (part: number) => ({ part, etag: `tag${part}` });
    const first = service(begin("u1"), tag(1), 400);
    await expect(upload(large, first.target, () => undefined)).rejects.toThrow(RefusedError);

    const seen: number[] = [];
    const second = service(begin("u2"), tag(2), tag(3), { batch });
    expect(await upload(large, second.target, (bytes) => void seen.push(bytes))).toMatchObject({
      isNew: true,
    });
    expect(second.sent.map(({ what }) => what.replace("/system/imports/large", ""))).toEqual([
      "POST ",
      "PUT ?upload=u1&part=2",
      "PUT ?upload=u1&part=3",
      "POST ",
    ]);
    expect(second.sent[3]?.body).toMatchObject({
      action: "complete",
      upload: "u1",
      parts: [1, 2, 3].map(tag),
    });
    expect(seen).toEqual([10, 20, 25]);

    const third = service(begin("u3"), tag(1), 400);
    await expect(upload(large, third.target, () => undefined)).rejects.toThrow(RefusedError);
    const fourth = service(begin("u4"), 400, tag(1), tag(2), tag(3), { batch });
    await upload(large, fourth.target, () => undefined);
    expect(fourth.sent.at(-1)?.body).toMatchObject({ upload: "u4", parts: [1, 2, 3].map(tag) });
  });
});

describe("follow", () => {
  const view = (state: string, position: number, counts: Record<string, number>) => ({
    batch: { id: 7, state, position, size: 100 },
    counts,
    items: [],
  });

  it("has everything accepted first, in bounded batches", async () => {
    const { sent, target } = service({ sent: 5000, pending: 7000 }, { sent: 5000, pending: 6900 });
    await takeUp(target, 0);
    expect(sent.map(({ body }) => body)).toEqual([{ stale_seconds: 0 }, { stale_seconds: 0 }]);
    const idle = service({ sent: 0, pending: 10 });
    await takeUp(idle.target, 600);
    expect(idle.sent).toHaveLength(1);
  });

  it("polls until the file is split and no item is pending", async () => {
    const { sent, waits, target } = service(
      {},
      view("splitting", 50, { created: 1, pending: 1 }),
      view("ready", 100, { created: 2, processing: 1 }),
      view("ready", 100, { created: 2, failed: 1 }),
    );
    const seen: [number, number][] = [];
    const done = await follow(7, target, {
      onProgress: (share, count) => void seen.push([share, count]),
      staleSeconds: 0,
    });
    expect(done.counts).toEqual({ created: 2, failed: 1 });
    expect(seen).toEqual([
      [0.25, 1],
      [2 / 3, 2],
      [1, 3],
    ]);
    expect(sent[0]).toEqual({ what: "POST /system/imports", body: { stale_seconds: 0 } });
    expect(waits).toHaveLength(2);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  });

  it("reads all items of a kind page by page", async () => {
    const item = (id: number) => ({
      id,
      ia_id: `s:${id}`,
      status: "failed",
      error: "invalid-value",
      comments: null,
      place: id,
    });
    const page = Array.from({ length: 100 }, (_, index) => item(index + 1));
    const { sent, target } = service({ items: page }, { items: [item(200)] });
    const ids: number[] = [];
    for await (const { id } of itemsOf(7, target, "status=failed")) ids.push(id);
    expect(ids).toEqual([...page.map(({ id }) => id), 200]);
    expect(sent[1]?.what).toBe("GET /import/batch/7.json?status=failed&limit=100&after=100");
  });

  it("writes a line for each", () => {
    const item = {
      id: 1,
      ia_id: "s:1",
      status: "failed",
      error: "invalid-value",
      comments: "a\tb\r\nc",
      place: 12,
    };
    expect(rejectLine(item)).toBe("12\ts:1\tinvalid-value\ta b c\n");
    expect(rejectLine({ ...item, place: null, error: null, comments: " =1" })).toBe("\ts:1\t\t' =1\n");
    expect(tabLine([12, "no =\tformula"])).toBe("12\tno = formula\n");
    const warning = { field: "020", value: "$4.95", code: "invalid-isbn", message: "no" };
    expect(warningLines({ ...item, warnings: [warning, { ...warning, value: "" }] })).toBe(
      "12\ts:1\t020\t$4.95\tinvalid-isbn\tno\n12\ts:1\t020\t\tinvalid-isbn\tno\n",
    );
    expect(warningLines(item)).toBe("");
    expect(isUnexpected(item)).toBe(false);
    expect(isUnexpected({ ...item, error: "internal-error" })).toBe(true);
  });
});

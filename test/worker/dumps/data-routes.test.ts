import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { downloaded, dumpAll, dumpOf, operate } from "../../support/worker/dumps.ts";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { HTML } from "../../support/worker/writing.ts";

const service = testService();
const NAME = "ol_dump_2026-11-21.txt.gz";
const PATH = `/data/${NAME}`;
let whole: Uint8Array;
let digest: string;

beforeAll(async () => {
  expect(await service.json("/data.json")).toEqual({ dumps: [] });
  expect((await service.fetch("/data/ol_dump_latest.txt.gz")).status).toBe(404);
  await service.loadUnindexed(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }));
  await dumpAll(service);
  whole = await downloaded(service, NAME);
  digest = createHash("sha256").update(whole).digest("hex");
});

/** Status, headers that tell of a part, and the bytes. */
async function read(headers: Record<string, string>, method = "GET") {
  const response = await service.fetch(PATH, { headers, method });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { headers: got } = response;
  return {
    status: response.status,
    range: got.get("Content-Range"),
    length: got.get("Content-Length"),
    bytes: [...bytes],
    headers: got,
  };
}

describe("GET /data/{dated file}", () => {
  it("Q421: returns the whole file as immutable", async () => {
    const { status, length, bytes, headers } = await read({});
    expect([status, length]).toEqual([200, String(whole.length)]);
    expect(bytes).toEqual([...whole]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/gzip",
      "cache-control": "public, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      etag: `"${digest}"`,
      "repr-digest": `sha-256=:${createHash("sha256").update(whole).digest("base64")}:`,
      "content-disposition": `attachment; filename="${NAME}"`,
    });
    expect(headers.get("Last-Modified")).toMatch(/^Sat, 21 Nov 2026 /);
  });

  it("answers HEAD", async () => {
    const { status, length, bytes, headers } = await read({ Range: "bytes=0-9" }, "HEAD");
    expect([status, length, bytes]).toEqual([200, String(whole.length), []]);
    expect(headers.get("ETag")).toBe(`"${digest}"`);
  });

  it("returns ranges that add up to the whole file", async () => {
    const size = whole.length;
    const third = Math.floor(size / 3);
    const parts = [`0-${third}`, `${third + 1}-${2 * third}`, `${2 * third + 1}-`];
    const bytes: number[] = [];
    for (const range of parts) {
      const part = await read({ Range: `bytes=${range}` });
      expect(part.status).toBe(206);
      const end = bytes.length + part.bytes.length - 1;
      expect(part.range).toBe(`bytes ${bytes.length}-${end}/${size}`);
      expect(part.length).toBe(String(part.bytes.length));
      bytes.push(...part.bytes);
    }
    expect(bytes).toEqual([...whole]);
  });

  it.each([
    ["bytes=0-0", [0, 1]],
    ["bytes=-5", [-5, undefined]],
    ["bytes=-999999999", [0, undefined]],
    ["bytes=3-999999999", [3, undefined]],
    ["BYTES= 1-2 ", [1, 3]],
  ])("returns a part for %s", async (range, [from, to]) => {
    const { status, bytes } = await read({ Range: range });
    expect([status, bytes]).toEqual([206, Array.from(whole.slice(from, to))]);
  });

  it.each(["bytes=0-1,3-4", "bytes=5-2", "bytes=-", "lines=1-2", "bytes=a-b", "bytes=0-1;"])(
    "returns the whole file for %s",
    async (range) => {
      expect((await read({ Range: range })).status).toBe(200);
    },
  );

  it.each(["bytes=999999999-", "bytes=-0", "bytes=999999999-9999999999"])(
    "answers 416 for %s",
    async (range) => {
      const { status, range: told, headers } = await read({ Range: range });
      expect([status, told]).toEqual([416, `bytes */${whole.length}`]);
      expect(headers.get("Content-Type")).toBe("application/json");
    },
  );

  it("honours If-Range", async () => {
    const modified = (await read({})).headers.get("Last-Modified") ?? "";
    const range = { Range: "bytes=0-1" };
    expect((await read({ ...range, "If-Range": `"${digest}"` })).status).toBe(206);
    expect((await read({ ...range, "If-Range": modified })).status).toBe(206);
    expect((await read({ ...range, "If-Range": '"other"' })).status).toBe(200);
    expect((await read({ ...range, "If-Range": `W/"${digest}"` })).status).toBe(200);
    expect((await read({ ...range, "If-Range": "Sat, 21 Nov 2020 00:00:00 GMT" })).status).toBe(200);
  });

  it("honours If-None-Match", async () => {
    const { status, bytes } = await read({ "If-None-Match": `"${digest}"`, Range: "bytes=0-1" });
    expect([status, bytes]).toEqual([304, []]);
    expect((await read({ "If-None-Match": '"other"' })).status).toBe(200);
  });

  it("answers 503 while its object is missing", async () => {
    const object = `ol_dump_2026-11-21/${NAME}`;
    await env.ARCHIVE.delete(object);
    expect((await read({})).status).toBe(503);
    await env.ARCHIVE.put(object, whole);
    expect((await read({})).status).toBe(200);
  });
});

it("returns ranges of Parquet tables", async () => {
  const path = "/data/ol_dump_works_2026-11-21.parquet";
  const response = await service.fetch(path, { headers: { Range: "bytes=-4" } });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([
    206,
    "application/vnd.apache.parquet",
  ]);
  expect(new TextDecoder().decode(await response.arrayBuffer())).toBe("PAR1");
  const newest = await service.fetch("/data/ol_dump_works_latest.parquet");
  expect([newest.status, newest.headers.get("Location")]).toEqual([302, path]);
});

describe("GET /data/{newest file}", () => {
  it.each(["ol_dump", "ol_dump_works", "ol_dump_reading-log", "ol_dump_covers_metadata", "ol_cdump"])(
    "redirects to %s",
    async (stem) => {
      const response = await service.fetch(`/data/${stem}_latest.txt.gz`);
      expect([response.status, response.headers.get("Location")]).toEqual([
        302,
        `/data/${stem}_2026-11-21.txt.gz`,
      ]);
      expect((await service.fetch(`/data/${stem}_2026-11-21.txt.gz`)).status).toBe(200);
    },
  );

  it.each([
    "ol_dump_deworks_latest.txt.gz",
    "ol_dump_wikidata_latest.txt.gz",
    "ol_dump_deworks_2026-11-21.txt.gz",
    "ol_delta_latest.txt.gz",
    "ol_dump_2026-11-20.txt.gz",
    "ol_dump_superseded_latest.txt.gz",
    "ol_dump_latest.txt",
    "ol_dump_latest.parquet",
    "ol_dump_lists_2026-11-21.parquet",
    "manifest.json",
    "x",
  ])("Q420: answers 404 for %s", async (name) => {
    const response = await service.fetch(`/data/${name}`, { headers: { Accept: "application/json" } });
    expect([response.status, await response.json()]).toEqual([404, { detail: "Not Found" }]);
  });
});

interface File {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

describe("GET /data.json", () => {
  it("lists sizes, lines and checksums", async () => {
    const { dumps } = (await service.json("/data")) as { dumps: { files: File[] }[] };
    expect(dumps).toHaveLength(1);
    expect(dumps[0]).toMatchObject({ kind: "full", date: "2026-11-21", after_change: 0, change: 1 });
    const files = dumps[0]?.files ?? [];
    expect(files.map(({ name }) => name.replace(/_2026-11-21(?:\.txt\.gz)?/, ""))).toEqual([
      "ol_dump",
      "ol_dump_editions",
      "ol_dump_works",
      "ol_dump_authors",
      "ol_dump_redirects",
      "ol_dump_deletes",
      "ol_dump_lists",
      "ol_dump_other",
      "ol_dump_ratings",
      "ol_dump_reading-log",
      "ol_dump_covers_metadata",
      "ol_cdump",
      "ol_dump_editions.parquet",
      "ol_dump_works.parquet",
      "ol_dump_authors.parquet",
    ]);
    for (const { name, bytes, sha256 } of files) {
      const found = await downloaded(service, name);
      expect([name, found.length]).toEqual([name, bytes]);
      expect(createHash("sha256").update(found).digest("hex")).toBe(sha256);
    }
    expect(files[0]).toMatchObject({ lines: 3 });
    const manifest = await (await env.ARCHIVE.get("ol_dump_2026-11-21/manifest.json"))?.json();
    expect(manifest).toMatchObject({ date: "2026-11-21", change: 1, files });
  });

  it("is a page in browsers", async () => {
    const response = await service.fetch("/data", { headers: HTML });
    const text = await response.text();
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Vary")).toContain("Accept");
    expect(text).toMatch(/<h1>Data dumps<\/h1>/);
    expect(text).toContain(`<a href="${PATH}">${NAME}</a>`);
    expect(text).toContain("<caption>Files of 21 November 2026</caption>");
    expect(text).toContain(digest);
    expect((await service.fetch("/data.json", { headers: HTML })).headers.get("Content-Type")).toBe(
      "application/json",
    );
  });
});

describe("/system/dumps", () => {
  const post = (body: unknown) =>
    service.fetch("/system/dumps", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...OPERATOR, "Content-Type": "application/json" },
    });

  it("begins dumps, and lists their states", async () => {
    service.now += 86_400_000;
    const begun = await operate(service, "/system/dumps", {});
    expect(begun).toMatchObject({ is_new: true, dump: { kind: "full", date: "2026-11-22", change: 1 } });
    for (let state = "open"; state === "open"; { state } = await dumpOf("full", "2026-11-22")) {
      await scheduler.wait(5);
    }
    expect(await operate(service, "/system/dumps.json")).toMatchObject({
      dumps: [{ date: "2026-11-22", state: "published", problem: null }, { date: "2026-11-21" }],
    });
    expect(await operate(service, "/system/dumps", { kind: "full" })).toMatchObject({
      is_new: false,
      dump: { date: "2026-11-22", state: "published" },
    });
    expect((await service.fetch("/data/ol_dump_latest.txt.gz")).headers.get("Location")).toContain("-22.txt");
  });

  it.each([
    [{ kind: "full", date: "2026-11-20" }, 400],
    [{ kind: "delta", date: "2026-11-22" }, 400],
    [{ kind: "delta", date: "2027-01-01" }, 400],
    [{ kind: "delta", date: "2026-02-30" }, 422],
    [{ kind: "half" }, 422],
    [{ more: 1 }, 422],
  ])("refuses %j", async (body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it("resumes nothing if all dumps are finished", async () => {
    expect(await operate(service, "/system/dumps/resume", { stale_seconds: 0 })).toEqual({ resumed: 0 });
  });
});

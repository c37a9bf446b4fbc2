import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HOST } from "../../scripts/lib/runtime.ts";
import type { AnswerCache } from "../../src/worker/http/kv-cache.ts";
import { lookUpBook } from "../../src/worker/imports/affiliate.ts";
import { type HttpItemsOptions, httpItems } from "../../src/worker/platform/http-items.ts";
import { ItemsFailure } from "../../src/worker/platform/item.ts";
import { OutboundFailure, getBytes } from "../../src/worker/platform/outbound.ts";
import { type Answer, testServer } from "../support/node/test-server.ts";

const server = testServer();
const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes);
const paths = () => server.asked.map(({ method, url }) => `${method} ${url}`);

/** KV as far as it is used: text by key. */
function keeping() {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, value: string) => void kept.set(key, value),
  };
}

/** KV when it fails, as it does for the second of two writes of a key within a second. */
const BROKEN = {
  get: () => Promise.reject(new Error("KV GET failed: 500")),
  put: () => Promise.reject(new Error("KV PUT failed: 429 Too Many Requests")),
};

/** The other service as a test has it: answers by path, one after the other when there are several. */
function answering(answers: Readonly<Record<string, Answer | readonly Answer[]>>): void {
  const left = new Map(Object.entries(answers).map(([path, list]) => [path, [list].flat()]));
  server.answer = ({ url }) => {
    const list = left.get(new URL(url, server.url).pathname) ?? [];
    const next = list.length > 1 ? list.shift() : list[0];
    return next ?? { status: 404, body: "" };
  };
}

describe("an answer of another service", () => {
  const get = (path: string, more: object = {}) =>
    getBytes(new URL(path, server.url), {
      hosts: [new URL(server.url).host],
      timeoutMs: 2000,
      maxBytes: 10,
      ...more,
    });

  it("is read up to its bound, or cut there", async () => {
    answering({ "/ten": { body: "0123456789" }, "/more": { body: "0123456789a" } });
    expect(text((await get("/ten")).bytes)).toBe("0123456789");
    await expect(get("/more")).rejects.toThrow("more than 10 bytes");
    expect(text((await get("/more", { cut: true })).bytes)).toBe("0123456789");
    expect(text((await get("/ten", { cut: true, maxBytes: 3 })).bytes)).toBe("012");
  });

  it("has no bytes when it is no success", async () => {
    answering({
      "/gone": { status: 410, body: "gone" },
      "/later": { status: 503, headers: { "Retry-After": "7" }, body: "later" },
    });
    const nothing = { bytes: new Uint8Array(), contentType: "", retryAfter: null };
    expect(await get("/gone")).toEqual({ ...nothing, status: 410 });
    expect(await get("/later")).toEqual({ ...nothing, status: 503, retryAfter: "7" });
  });

  it("is followed to the same host, three times", async () => {
    const to = (Location: string) => ({ status: 302, headers: { Location }, body: "" });
    answering({ "/3": to("/2"), "/2": to("/1"), "/1": to("/0"), "/4": to("/3"), "/0": { body: "here" } });
    expect(text((await get("/3")).bytes)).toBe("here");
    await expect(get("/4")).rejects.toThrow("too often");
  });

  it.each(["http://localhost:1/x", "ftp://127.0.0.1/x", "http:///"])(
    "is not followed to %s",
    async (Location) => {
      answering({ "/away": { status: 302, headers: { Location }, body: "" } });
      await expect(get("/away")).rejects.toThrow("another host");
    },
  );

  it("that does not come in time is none", async () => {
    const silent = createServer();
    silent.listen(0, HOST);
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo; // It listens on a port.
    const host = `${HOST}:${port}`;
    const pending = get(`http://${host}/`, { timeoutMs: 50, hosts: [host] });
    await expect(pending).rejects.toThrow("no answer within 50 ms");
    silent.close();
  });

  it("cannot come from where nobody listens", async () => {
    const pending = get(`http://${HOST}:1/`, { hosts: [`${HOST}:1`] });
    await expect(pending).rejects.toBeInstanceOf(OutboundFailure);
  });
});

describe("items of an archive on the network", () => {
  const cache = keeping();
  const waits: number[] = [];
  const items = (coverHosts: string[] = ["127.0.0.1"], more: Partial<HttpItemsOptions> = {}) => {
    const wait = async (ms: number) => void waits.push(ms);
    return httpItems({ url: `${server.url}/`, coverHosts, cache, inHurry: false, wait, ...more });
  };
  const ITEM = {
    metadata: { identifier: "foo00bar", mediatype: "texts" },
    files: [{ name: "foo00bar_meta.mrc" }],
  };
  const FOUND = { metadata: ITEM.metadata, files: ["foo00bar_meta.mrc"] };

  beforeEach(() => {
    cache.kept.clear();
    waits.length = 0;
  });

  it("are described, and the description is kept", async () => {
    answering({ "/metadata/foo00bar": { body: ITEM } });
    expect(await items().metadata("foo00bar")).toEqual(FOUND);
    expect(await items().metadata("foo00bar")).toEqual(FOUND);
    expect(paths()).toEqual(["GET /metadata/foo00bar"]);
  });

  it.each<[string, Answer]>([
    ["{}", { body: {} }],
    ["404", { status: 404, body: "" }],
    ["no members", { body: { metadata: {} } }],
    ["null", { body: { metadata: null } }],
  ])("do not exist when the archive answers %s, which is not kept", async (_what, answer) => {
    answering({ "/metadata/foo00bar": answer });
    expect(await items().metadata("foo00bar")).toBeUndefined();
    expect(cache.kept.size).toBe(0);
  });

  it.each<[string, Answer]>([
    ["500", { status: 500, body: "" }],
    ["no JSON", { body: "<html>" }],
    ["a list", { body: [] }],
  ])("are not called missing when the archive answers %s", async (_what, answer) => {
    answering({ "/metadata/foo00bar": answer });
    await expect(items().metadata("foo00bar")).rejects.toBeInstanceOf(ItemsFailure);
  });

  it.each(["", "..", ".", "a/b", "a b", "x".repeat(201), "a?b"])("are not asked for as %j", async (id) => {
    answering({});
    expect(await items().metadata(id)).toBeUndefined();
    expect(await items().file(id, "x")).toBeUndefined();
    expect(await items().cover(id)).toBeUndefined();
    expect(paths()).toEqual([]);
  });

  it("have files, in folders too", async () => {
    answering({ "/download/foo00bar/a%20b/c%3Fd.mrc": { body: "00025" } });
    expect(text(await items().file("foo00bar", "a b/c?d.mrc"))).toBe("00025");
    expect(await items().file("foo00bar", "../other/x")).toBeUndefined();
    expect(paths()).toHaveLength(1);
  });

  it("are asked for a file three times", async () => {
    const busy = { status: 503, body: "" };
    answering({ "/download/foo00bar/a": [busy, busy, { body: "now" }], "/download/foo00bar/b": busy });
    expect(text(await items().file("foo00bar", "a"))).toBe("now");
    expect(waits).toEqual([2000, 2000]);
    await expect(items().file("foo00bar", "b")).rejects.toThrow("The archive responded with status 503");
    expect(paths()).toHaveLength(6);
  });

  it("are asked once for a file that somebody waits for", async () => {
    answering({ "/download/foo00bar/a": { status: 503, body: "" } });
    const hurried = items([], { inHurry: true });
    await expect(hurried.file("foo00bar", "a")).rejects.toThrow("The archive responded with status 503");
    await expect(hurried.range("foo00bar", "a", { offset: 0, length: 5 })).rejects.toThrow("503");
    expect([paths().length, waits]).toEqual([2, []]);
  });

  it("are described also when the description cannot be kept", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    answering({ "/metadata/foo00bar": { body: ITEM } });
    expect(await items([], { cache: BROKEN }).metadata("foo00bar")).toEqual(FOUND);
    expect(logged).toHaveBeenCalledTimes(2);
    logged.mockRestore();
  });

  it.each([403, 404, 416])("are asked once when the answer is %i", async (status) => {
    answering({ "/download/foo00bar/a": { status, body: "" } });
    expect(await items().file("foo00bar", "a")).toBeUndefined();
    expect(paths()).toHaveLength(1);
  });

  it("send parts of files", async () => {
    answering({ "/download/foo00bar/a": { status: 206, body: "0123456789" } });
    expect(text(await items().range("foo00bar", "a", { offset: 100, length: 5 }))).toBe("01234");
    expect(server.asked[0]?.headers["range"]).toBe("bytes=100-104");
  });

  it("without parts of files are of use at their beginning only", async () => {
    answering({ "/download/foo00bar/a": { body: "0123456789" } });
    expect(text(await items().range("foo00bar", "a", { offset: 0, length: 5 }))).toBe("01234");
    await expect(items().range("foo00bar", "a", { offset: 1, length: 5 })).rejects.toBeInstanceOf(
      ItemsFailure,
    );
  });

  it.each<[string, Record<string, Answer>, string]>([
    [
      "the first",
      { "/services/img/foo00bar/full/pct:600/0/default.jpg": { body: "" } },
      "services/img/foo00bar/full/pct:600/0/default.jpg",
    ],
    ["the title", { "/download/foo00bar/page/title.jpg": { body: "" } }, "download/foo00bar/page/title.jpg"],
    ["the cover", {}, "download/foo00bar/page/cover.jpg"],
    [
      "the first, as it does not say that there is none",
      { "/services/img/foo00bar/full/pct:600/0/default.jpg": { status: 500, body: "" } },
      "services/img/foo00bar/full/pct:600/0/default.jpg",
    ],
  ])("have images: %s", async (_which, answers, path) => {
    answering(answers);
    expect(await items().cover("foo00bar")).toBe(`${server.url}/${path}`);
    expect(server.asked.every(({ method }) => method === "HEAD")).toBe(true);
  });

  it("have none where their host's images are not taken", async () => {
    answering({});
    expect(await items(["elsewhere.example"]).cover("foo00bar")).toBeUndefined();
    expect(paths()).toEqual([]);
  });
});

describe("the affiliate lookup", () => {
  const cache = keeping();
  const lookUp = (id: string, highPriority = true, stored: AnswerCache = cache) => {
    const context = { settings: { AFFILIATE_URL: `${server.url}/affiliate` }, stores: { cache: stored } };
    return lookUpBook(context, id, { highPriority, stageImport: false });
  };
  const HIT = { title: "Beloved", source_records: ["amazon:0452269571"] };

  beforeEach(() => cache.kept.clear());

  it("finds a book by the shorter form of its number, and keeps it", async () => {
    answering({ "/affiliate/isbn/0452269571": { body: { status: "success", hit: HIT } } });
    expect(await lookUp("9780452269576")).toEqual({ kind: "hit", record: HIT });
    expect(await lookUp("0-452-26957-1")).toEqual({ kind: "hit", record: HIT });
    expect(paths()).toEqual(["GET /affiliate/isbn/0452269571?high_priority=true&stage_import=false"]);
  });

  it("finds it also when it cannot be kept", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    answering({ "/affiliate/isbn/0452269571": { body: { status: "success", hit: HIT } } });
    expect(await lookUp("0452269571", true, BROKEN)).toEqual({ kind: "hit", record: HIT });
    logged.mockRestore();
  });

  it("asks for what has no shorter form as it is", async () => {
    answering({});
    await lookUp("9798776159572", false);
    await lookUp("b000fc1pji");
    expect(await lookUp("junk")).toEqual({ kind: "nothing" });
    expect(paths()).toEqual([
      "GET /affiliate/isbn/9798776159572?high_priority=false&stage_import=false",
      "GET /affiliate/isbn/B000FC1PJI?high_priority=true&stage_import=false",
    ]);
  });

  it.each<[string, Answer, string]>([
    ["success without a hit", { body: { status: "success" } }, "staged"],
    ["an empty hit", { body: { status: "success", hit: {} } }, "staged"],
    ["not found", { body: { status: "not found" } }, "nothing"],
    ["a refused number", { body: { error: "rejected_isbn", identifier: "1" } }, "nothing"],
    ["submitted", { body: { status: "submitted", queue: 3 } }, "submitted"],
    ["not configured", { body: { error: "not_configured" } }, "not_configured"],
    ["another status", { status: 500, body: {} }, "failed"],
    [
      "a redirect elsewhere",
      { status: 302, headers: { Location: "http://localhost:1/" }, body: "" },
      "failed",
    ],
    ["no JSON", { body: "<html>" }, "failed"],
    ["an unknown word", { body: { status: "odd" } }, "failed"],
    ["too much", { body: "x".repeat(300_000) }, "failed"],
  ])("answers %s", async (_what, answer, kind) => {
    answering({ "/affiliate/isbn/0452269571": answer });
    expect(await lookUp("0452269571")).toEqual({ kind });
    expect(cache.kept.size).toBe(0);
  });
});

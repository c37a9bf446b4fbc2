import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type CachedAnswer,
  ISOLATE_CACHE_BYTES,
  IsolateCache,
  CACHED_ANSWER_BYTES,
  REMEMBERED_WRITES,
} from "../../../src/worker/http/isolate-cache.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

function answer(bytes: number, more: Partial<CachedAnswer> = {}): CachedAnswer {
  const body = new Uint8Array(bytes);
  return { status: 200, body, headers: {}, etag: "1", modified: 0, expires: 1000, records: [], ...more };
}

describe("IsolateCache", () => {
  let cache: IsolateCache;
  beforeEach(() => {
    cache = new IsolateCache();
  });
  const kept = (names: readonly string[], now = 0): string[] =>
    names.filter((name) => cache.get(name, now) !== undefined);
  const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `name ${index}`);

  it("holds a bounded number of bytes, and evicts the oldest", () => {
    const size = CACHED_ANSWER_BYTES;
    const names = named((3 * ISOLATE_CACHE_BYTES) / size);
    for (const name of names) cache.set(name, answer(size));
    const left = kept(names);
    expect(left.length * size).toBeLessThanOrEqual(ISOLATE_CACHE_BYTES);
    expect((left.length + 2) * size).toBeGreaterThan(ISOLATE_CACHE_BYTES);
    expect(left).toEqual(names.slice(-left.length));
  });

  it("counts the overhead of small responses", () => {
    const names = named(40_000);
    for (const name of names) cache.set(name, answer(0));
    expect(kept(names).length).toBeLessThanOrEqual(ISOLATE_CACHE_BYTES / 1024);
    expect(kept(names).length).toBeGreaterThan(1000);
  });

  it("does not count replaced, expired and forgotten responses", () => {
    const size = CACHED_ANSWER_BYTES;
    const rounds = 3 * Math.ceil(ISOLATE_CACHE_BYTES / size);
    cache.set("first", answer(size, { expires: 2000 }));
    for (let round = 0; round < rounds; round += 1) {
      cache.set("replaced", answer(size));
      cache.set("forgotten", answer(size, { records: ["/works/OL1W"] }));
      cache.forget(["/works/OL1W"], 0);
      cache.set("expired", answer(size));
      cache.get("expired", 1000);
    }
    expect(kept(["first", "replaced", "forgotten", "expired"])).toEqual(["first", "replaced"]);
  });

  it("does not store a response that is too large", () => {
    cache.set("largest", answer(CACHED_ANSWER_BYTES));
    cache.set("larger", answer(CACHED_ANSWER_BYTES + 1));
    expect(kept(["largest", "larger"])).toEqual(["largest"]);
  });

  it("expires", () => {
    cache.set("a", answer(1, { expires: 1000 }));
    expect(kept(["a"], 999)).toEqual(["a"]);
    expect(kept(["a"], 1000)).toEqual([]);
    expect(kept(["a"], 0)).toEqual([]);
  });

  it("forgets every response that shows a record, and no other", () => {
    cache.set("one", answer(1, { records: ["/works/OL1W"] }));
    cache.set("both", answer(1, { records: ["/works/OL1W", "/authors/OL1A"] }));
    cache.set("other", answer(1, { records: ["/authors/OL1A"] }));
    cache.set("none", answer(1));
    cache.forget(["/works/OL1W", "/works/OL2W"], 0);
    expect(kept(["one", "both", "other", "none"])).toEqual(["other", "none"]);
  });

  it("knows which records were written after a response was made", () => {
    cache.forget(["/works/OL1W"], 500);
    const outdated = (records: string[], time: number): boolean => cache.isOutdated(records, time);
    expect(outdated(["/works/OL1W"], 499)).toBe(true);
    expect(outdated(["/works/OL2W", "/works/OL1W"], 500)).toBe(true);
    expect(outdated(["/works/OL1W"], 501)).toBe(false);
    expect(outdated(["/works/OL2W"], 499)).toBe(false);
    expect(outdated([], 499)).toBe(false);
  });

  it("takes responses for outdated that are older than its memory of writes", () => {
    cache.forget(["/works/OL1W"], 100);
    const keys = Array.from({ length: REMEMBERED_WRITES }, (_, index) => `/works/OL${index + 2}W`);
    cache.forget(keys, 200);
    expect(cache.isOutdated(["/works/OL1W"], 100)).toBe(true);
    expect(cache.isOutdated(["/authors/OL1A"], 100)).toBe(true);
    expect(cache.isOutdated(["/authors/OL1A"], 101)).toBe(false);
    expect(cache.isOutdated([keys[0]!], 200)).toBe(true);
    expect(cache.isOutdated([keys[0]!], 201)).toBe(false);
  });
});

describe("the in-memory cache", () => {
  const { database, statements } = countedDatabase(env.CATALOG);
  const service = testService({ CATALOG: database });
  /** Statements that a request takes. */
  const cost = async (path: string, init?: RequestInit): Promise<number> => {
    statements.length = 0;
    await service.fetch(path, init);
    return statements.length;
  };

  beforeEach(async () => {
    await service.load(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }));
    service.now += 60_000;
  });

  it.each([
    "/works/OL1W.json",
    "/works/OL1W.yml",
    "/works/OL1W.rdf",
    "/works/OL1W/Work_1",
    "/authors/OL1A/works.json",
    "/works/OL1W/editions.json",
    "/api/books.json?bibkeys=OL1M",
    "/api/volumes/full/json/olid:OL1M.json",
  ])("serves %s for five seconds", async (path) => {
    expect(await cost(path)).toBeGreaterThan(0);
    expect(await cost(path)).toBe(0);
    expect(await cost(path, { method: "HEAD" })).toBe(0);
    service.now += 4999;
    expect(await cost(path)).toBe(0);
    service.now += 1;
    expect(await cost(path)).toBeGreaterThan(0);
  });

  it.each([
    "/works/OL404W.json",
    "/works/OL1W",
    "/works/OL1W.json?m=history",
    '/query.json?query={"key":"/works/OL1W"}',
    "/api/get?key=/works/OL1W",
    "/languages/_autocomplete?q=e",
    "/isbn/9780140328721",
    "/status",
  ])("does not store %s", async (path) => {
    expect(await cost(path)).toBeGreaterThan(0);
    expect(await cost(path)).toBeGreaterThan(0);
  });

  it("is not used for a client with a bookmark", async () => {
    await cost("/works/OL1W.json");
    expect(await cost("/works/OL1W.json")).toBe(0);
    const bookmark = "00000001-00000001-00004e61-0123456789abcdef0123456789abcdef";
    expect(await cost("/works/OL1W.json", { headers: { "X-Carrel-Bookmark": bookmark } })).toBe(1);
  });

  it("tells pages from JSON for any Accept header", async () => {
    const named = await service.fetch("/authors/OL1A", { headers: { Accept: "text/html" } });
    const path = named.headers.get("Location") ?? "/authors/OL1A";
    const typeFor = async (accept: string) =>
      (await service.fetch(path, { headers: { Accept: accept } })).headers.get("Content-Type");
    const page = await typeFor("text/html");
    expect(page).toContain("text/html");
    expect(await typeFor("en text/html")).toBe("application/json");
    expect(await typeFor("page en text/html")).toBe("application/json");
    expect(await typeFor("text/html")).toBe(page);
  });

  it("is not used for requests with a very long Accept", async () => {
    const init = { headers: { Accept: `text/html, ${"a/b, ".repeat(60)}application/json` } };
    expect(await cost("/works/OL1W.json", init)).toBe(1);
    expect(await cost("/works/OL1W.json", init)).toBe(1);
  });

  it("evicts responses that show a written record, and no others", async () => {
    const revision = 2;
    await cost("/works/OL1W.json");
    await cost("/books/OL1M.json");
    await cost("/authors/OL1A/works.json");
    await service.load(work(1, { revision, title: "New", authors: [1] }));
    service.now += 1;
    expect(await cost("/books/OL1M.json")).toBe(0);
    expect(await cost("/works/OL1W.json")).toBe(1);
    expect(await cost("/authors/OL1A/works.json")).toBeGreaterThan(0);
    expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "New" });
  });
});

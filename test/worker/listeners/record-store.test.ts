import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { author, deleted, edition, language, work } from "../../support/worker/records.ts";
import { documentOf, testService } from "../../support/worker/service.ts";

const service = testService();
const SITE = "/openlibrary.org";
const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.RecordStore.fetch(`http://store.test${path}`, init);
const result = async (path: string): Promise<unknown> => {
  const response = await call(SITE + path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  return response.json();
};
const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

let changes: number[] = [];
const load = async (...records: Parameters<typeof service.load>): Promise<void> => {
  changes = [...changes, ...(await service.load(...records)).changes];
};

beforeAll(async () => {
  expect(await result("/most_recent")).toBeNull();
  service.now = Date.parse("2026-11-20T23:59:59.999Z");
  await load(work(1, { title: "First", authors: [1] }), author(1), author(2));
  service.now = Date.parse("2026-11-21T00:00:00Z");
  await load(work(1, { revision: 2, title: "Second", authors: [1] }), language("eng", "English"));
  await load(
    edition(1, { work: 1, authors: [{ key: "/authors/OL1A" }] }),
    edition(2, { work: 1, authors: [{ key: "/authors/OL1A" }, { key: "/authors/OL2A" }] }),
    edition(3, { work: 1 }),
    { key: "/people/Jane", type: "/type/user", displayname: "Jane" },
  );
  await load(deleted("/books/OL3M", 2));
});

describe("the record store listener", () => {
  it.each([
    ["GET", "/", { infobase: "welcome", version: "0.5dev" }],
    ["POST", "/_echo", { ok: true }],
    ["POST", "/_reload_config", { ok: "true" }],
    ["GET", "/openlibrary.org", { name: "openlibrary.org" }],
    ["GET", "/any.site", { name: "any.site" }],
  ])("%s %s", async (method, path, expected) => {
    const response = await call(path, { method });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual(expected);
  });

  it.each([
    ["DELETE", SITE, "GET, PUT"],
    ["GET", "/_echo", "POST"],
    ["GET", "/_inspect", undefined],
    ["POST", "/_invalidate", undefined],
    ["GET", "/_echo/x/y", undefined],
    ["POST", `${SITE}/get`, "GET"],
    ["DELETE", "/", "GET"],
    ["GET", `${SITE}/_inspect`, undefined],
    ["GET", `${SITE}/nothing`, undefined],
    ["GET", `${SITE}/get/x`, undefined],
    ["GET", "//", undefined],
  ])("%s %s is refused", async (method, path, allowed) => {
    const response = await call(path, { method });
    expect(response.status).toBe(allowed === undefined ? 404 : 405);
    expect(response.headers.get("Allow")).toBe(allowed ?? null);
    if (allowed === undefined) {
      expect(await response.json()).toEqual({ error: "notfound", key: new URL(`http://x${path}`).pathname });
    } else {
      const error = { error: "method_not_allowed", message: "Method Not Allowed" };
      expect(await response.json()).toEqual(error);
    }
  });
});

describe("records", () => {
  it("get returns a record, latest or at a revision", async () => {
    const second = documentOf(work(1, { revision: 2, title: "Second", authors: [1] }));
    expect(await result("/get?key=/works/OL1W")).toEqual(second);
    expect(await result("/get?key=/works/OL1W&revision=0&expand=true")).toEqual(second);
    expect(await result("/get?key=/works/OL1W&revision=1")).toMatchObject({ title: "First" });
  });

  it.each([
    ["/get?key=/works/OL99W", 404, { error: "notfound", key: "/works/OL99W" }],
    ["/get?key=/works/OL1W&revision=3", 404, { error: "notfound", key: "/works/OL1W" }],
    ["/get?key=/works/OL1W&revision=99999999999999999999", 404, { error: "notfound", key: "/works/OL1W" }],
    ["/get?key=/works/OL1W&revision=x", 400, { message: "Bad integer value for 'revision': 'x'" }],
    ["/get?key=/works/OL1W&revision=", 400, { message: "Bad integer value for 'revision': ''" }],
    ["/get", 400, { error: "bad_data", message: "Missing argument: 'key'" }],
    ["/get_many", 400, { error: "bad_data", message: "Missing argument: 'keys'" }],
    ["/get_many?keys=x", 400, { error: "bad_data" }],
    ["/get_many?keys={}", 400, { error: "bad_data" }],
    ["/things", 400, { error: "bad_data", message: "Missing argument: 'query'" }],
    ["/things?query={", 400, { error: "bad_data" }],
    [`/things?query=${json({ title: "x" })}`, 400, { message: "missing 'type' in query" }],
    ["/versions", 400, { error: "bad_data", message: "Missing argument: 'query'" }],
    ["/versions?query=[]", 400, { error: "bad_data" }],
    ["/_recentchanges?query=[]", 400, { error: "bad_data" }],
    [`/_recentchanges?query=${json({ limit: -1 })}`, 400, { error: "bad_data" }],
    ["/count_editions_by_author", 400, { error: "bad_data" }],
    ["/stats/2026-13-45", 400, { error: "bad_data" }],
    ["/has_user", 400, { error: "bad_data" }],
    ["/olid_to_key", 400, { error: "bad_data" }],
  ])("%s: %i", async (path, status, expected) => {
    const response = await call(SITE + path);
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toMatchObject(expected);
  });

  it("get_many returns existing records", async () => {
    const keys = ["/authors/OL2A", "/works/OL99W", "/books/OL3M"];
    const found = await result(`/get_many?keys=${json(keys)}`);
    expect(found).toEqual({
      "/authors/OL2A": documentOf(author(2)),
      "/books/OL3M": documentOf(deleted("/books/OL3M", 2)),
    });
  });

  it.each([
    ["", ["/books/OL1M", "/books/OL2M"]],
    ["&details=false", ["/books/OL1M", "/books/OL2M"]],
    [
      "&details=true",
      [
        { key: "/books/OL1M", title: "Edition 1" },
        { key: "/books/OL2M", title: "Edition 2" },
      ],
    ],
    [
      "&details=True",
      [
        { key: "/books/OL1M", title: "Edition 1" },
        { key: "/books/OL2M", title: "Edition 2" },
      ],
    ],
  ])("things%s returns keys or selected properties", async (details, expected) => {
    const query = { type: "/type/edition", works: "/works/OL1W", title: null };
    expect(await result(`/things?query=${json(query)}${details}`)).toEqual(expected);
  });
});

describe("history", () => {
  const of = async (query: unknown): Promise<unknown[]> =>
    Object(await result(`/_recentchanges?query=${json(query)}`));
  const ids = async (query: unknown): Promise<number[]> =>
    (await of(query)).map((change) => Number(Object(change).id));

  it("versions includes the address", async () => {
    const rows = await result(`/versions?query=${json({ key: "/works/OL1W" })}`);
    expect(rows).toMatchObject([
      { key: "/works/OL1W", revision: 2, id: changes[1], ip: null },
      { key: "/works/OL1W", revision: 1, id: changes[0], ip: null },
    ]);
    expect(await result(`/versions?query=${json({ ip: "10.0.0.1" })}`)).toEqual([]);
    expect(await result(`/versions?query=${json({ nothing: 1 })}`)).toEqual([]);
  });

  it("_recentchanges returns every change, newest first", async () => {
    expect(await of({})).toEqual(
      changes.toReversed().map((id) => ({
        id: String(id),
        kind: "bulk_update",
        timestamp: expect.stringMatching(/^2026-11-2[01]T\d\d:\d\d:\d\d\.\d{6}$/),
        comment: "Loaded from a dump",
        changes: null,
        author: null,
        ip: null,
        data: {},
      })),
    );
    expect(await result("/_recentchanges")).toEqual(await of({}));
  });

  it("_recentchanges filters by each condition", async () => {
    const [one, two, three, four] = changes;
    expect(await ids({ key: "/works/OL1W" })).toEqual([two, one]);
    expect(await ids({ key: "/books/OL3M" })).toEqual([four, three]);
    expect(await ids({ key: "/works/OL99W" })).toEqual([]);
    expect(await ids({ limit: 2 })).toEqual([four, three]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([three]);
    expect(await ids({ limit: 5000 })).toHaveLength(4);
    expect(await ids({ limit: 0 })).toEqual([]);
    expect(await ids({ kind: "bulk_update" })).toHaveLength(4);
    expect(await ids({ kind: "edit-book" })).toEqual([]);
    expect(await ids({ bot: true })).toHaveLength(4);
    expect(await ids({ bot: false })).toEqual([]);
    expect(await ids({ author: "/people/Jane" })).toEqual([]);
    expect(await ids({ ip: "10.0.0.1" })).toEqual([]);
    expect(await ids({ begin_date: "2026-11-21" })).toEqual([four, three, two]);
    expect(await ids({ end_date: "2026-11-21" })).toEqual([one]);
    expect(await ids({ begin_date: "2026-11-20", end_date: "2026-11-21", kind: "bulk_update" })).toEqual([
      one,
    ]);
  });
});

describe("counters", () => {
  it.each([
    ["/count_editions_by_author?key=/authors/OL1A", 2],
    ["/count_editions_by_author?key=/authors/OL2A", 1],
    ["/count_editions_by_author?key=/authors/OL99A", 0],
    ["/count_editions_by_work?key=/works/OL1W", 2],
    ["/count_editions_by_work?key=/works/OL99W", 0],
    ["/count_edits_by_user?key=/people/Jane", 0],
    ["/stats/2026-11-20", { edits: 3, edits_by_bots: 3, new_accounts: 0 }],
    ["/stats/2026-11-21", { edits: 7, edits_by_bots: 7, new_accounts: 0 }],
    ["/stats/2026-11-22", { edits: 0, edits_by_bots: 0, new_accounts: 0 }],
    ["/_seq/type_work_seq", { name: "type_work_seq", value: 1 }],
    ["/_seq/type_edition_seq", { name: "type_edition_seq", value: 3 }],
    ["/has_user?username=Jane", true],
    ["/has_user?username=Joan", false],
    ["/has_user?username=", false],
    ["/has_user?username=ol99m", true],
    ["/olid_to_key?olid=OL1W", { olid: "OL1W", key: "/works/OL1W" }],
    ["/olid_to_key?olid=ol1m", { olid: "ol1m", key: "/books/OL1M" }],
    ["/olid_to_key?olid=OL99M", { olid: "OL99M", key: null }],
  ])("%s", async (path, expected) => {
    expect(await result(path)).toEqual(expected);
  });

  it("most_recent returns the newest revision", async () => {
    expect(await result("/most_recent")).toMatchObject({
      key: "/books/OL3M",
      revision: 2,
      id: changes[3],
      ip: null,
    });
  });
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { form, onBehalfOf, raw, testStore } from "../../support/worker/record-store.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const { call, answer } = testStore(service);

let jane: LoggedIn;
let bot: LoggedIn;
let boss: LoggedIn;
let blocked: LoggedIn;
beforeAll(async () => {
  jane = await loggedIn(service, "jane");
  bot = await loggedIn(service, "OneBot", { bot: true });
  boss = await loggedIn(service, "boss", { groups: ["admin"] });
  blocked = await loggedIn(service, "mallory", { status: "blocked" });
  const groups = ["everyone", "allusers"].map((name) => ({
    key: `/usergroup/${name}`,
    type: "/type/usergroup",
  }));
  await service.load(...groups, author(1), work(1, { authors: [1] }), work(2), edition(1, { work: 1 }));
});

const typed = (type: string) => ({ key: `/type/${type}` });
const page = (title: string, more: object = {}) => ({ type: typed("work"), title, ...more });
const saveAs = (who: LoggedIn | undefined, key: string, document: unknown) =>
  answer(`/save${key}`, raw("POST", document, who === undefined ? {} : onBehalfOf(who)));
const formAs = (who: LoggedIn | undefined, path: string, fields: Record<string, unknown>) =>
  answer(path, form(fields, who === undefined ? {} : onBehalfOf(who)));
const read = async (key: string) => Object((await answer(`/get?key=${key}`)).body);
const changesOf = async (query: object) =>
  Object((await answer(`/_recentchanges?query=${encodeURIComponent(JSON.stringify(query))}`)).body);
const denied = { status: 403, body: { error: "permission_denied" } };

describe("/save", () => {
  it("saves for the token's owner, and returns {} when nothing changes", async () => {
    const sent = page("Saved", {
      _comment: "by hand",
      _action: "edit-book",
      _data: { parent_changeset: "12" },
    });
    const saved = { status: 200, body: { key: "/works/OL1W", revision: 2 } };
    expect(await saveAs(jane, "/works/OL1W", { ...sent, key: "/works/OL99W" })).toEqual(saved);
    expect(await saveAs(jane, "/works/OL1W", page("Saved"))).toEqual({ status: 200, body: {} });
    const [change] = await changesOf({ key: "/works/OL1W", limit: 1 });
    expect(change).toMatchObject({
      kind: "edit-book",
      comment: "by hand",
      author: { key: "/people/jane" },
      ip: null,
      data: { parent_changeset: "12" },
      changes: [{ key: "/works/OL1W", revision: 2 }],
    });
    expect(await changesOf({ data: { parent_changeset: "12" } })).toHaveLength(1);
    expect(await changesOf({ data: { parent_changeset: "13" } })).toEqual([]);
  });

  it("returns the bookmark of the write", async () => {
    const response = await call("/save/works/OL2W", raw("POST", page("Marked"), onBehalfOf(jane)));
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Carrel-Bookmark")).not.toBeNull();
    expect(response.headers.get("Set-Cookie")).toBeNull();
    await response.body?.cancel();
  });

  it.each([
    ["/works/OL1W", "{", 400, { error: "bad_data", message: expect.stringContaining("Bad JSON") }],
    ["/works/OL1W", [], 400, { error: "bad_data", message: "Bad JSON: expected an object" }],
    ["/works/OL1W", { title: "x" }, 400, { error: "bad_data", message: "missing type" }],
    [
      "/works/OL1W",
      page("x", { Bad: 1 }),
      400,
      { message: "Bad Property: 'Bad'", at: { key: "/works/OL1W" } },
    ],
    ["/works/OL%ffW", page("x"), 400, { error: "bad_data" }],
    [
      "/works/OL1W",
      page("x", { language: { key: "/languages/xxx" } }),
      404,
      { error: "notfound", key: "/languages/xxx" },
    ],
    ["/works/OL1W", { type: typed("delete") }, 403, { error: "permission_denied" }],
    ["/works/OL5000W", page("x"), 403, { error: "permission_denied" }],
    ["/people/boss", { type: typed("user") }, 403, { error: "permission_denied" }],
    ["/works/OL1W", `{"title":"${"x".repeat(1024 * 1024)}"}`, 413, { error: "too_large" }],
  ])("%s refuses invalid documents (%#)", async (key, document, status, expected) => {
    expect(await saveAs(jane, key, document)).toMatchObject({ status, body: expected });
  });

  it("refuses missing and forged tokens and blocked patrons", async () => {
    expect(await saveAs(undefined, "/works/OL1W", page("x"))).toMatchObject(denied);
    expect(await saveAs(blocked, "/works/OL1W", page("x"))).toMatchObject(denied);
    const forged = { Cookie: "infobase_auth_token=/people/boss,2026-11-21T12:00:00,abc$def" };
    expect(await answer("/save/works/OL1W", raw("POST", page("x"), forged))).toMatchObject(denied);
    const told = await call("/permission?key=/works/OL1W", { headers: forged });
    expect(told.headers.get("Set-Cookie")).toMatch(/^infobase_auth_token=; .*Max-Age=0/);
    await told.body?.cancel();
  });

  it("accepts the session cookie of the main site", async () => {
    const init = raw("POST", page("By cookie"), jane.headers);
    expect(await answer("/save/works/OL1W", init)).toMatchObject({
      status: 200,
      body: { key: "/works/OL1W" },
    });
  });

  it("creates records at keys from new_key", async () => {
    const key = String((await answer("/new_key?type=/type/work")).body);
    expect(await saveAs(jane, key, page("New"))).toEqual({ status: 200, body: { key, revision: 1 } });
    expect((await saveAs(bot, "/works/OL6000W", page("New"))).status).toBe(200);
    expect((await saveAs(boss, "/about", { type: typed("page"), title: "About" })).status).toBe(200);
  });
});

describe("/save_many", () => {
  it("saves all documents as one change", async () => {
    const query = [
      { key: "/works/OL1W", ...page("Many") },
      { key: "/authors/OL1A", type: typed("author"), name: "Many" },
    ];
    const fields = { query, comment: "together", data: { n: 1 }, action: "bulk-test" };
    expect(await formAs(jane, "/save_many", fields)).toEqual({
      status: 200,
      body: [
        { key: "/works/OL1W", revision: (await read("/works/OL1W")).revision },
        { key: "/authors/OL1A", revision: 2 },
      ],
    });
    const [change] = await changesOf({ limit: 1 });
    expect(change).toMatchObject({ kind: "bulk-test", comment: "together", data: { n: 1 } });
    expect(await formAs(jane, "/save_many", { query })).toEqual({ status: 200, body: [] });
  });

  it("accepts null data, and defaults the action to bulk_update", async () => {
    const query = [{ key: "/works/OL2W", ...page("Usual") }];
    expect((await formAs(jane, "/save_many", { query, data: null })).status).toBe(200);
    expect(await changesOf({ limit: 1 })).toMatchObject([{ kind: "bulk_update", comment: null, data: {} }]);
  });

  it.each([
    [{}, 400, { message: "Missing argument: 'query'" }],
    [{ query: {} }, 400, { message: "Expected an array of documents" }],
    [{ query: [1] }, 400, { message: "Expected an array of documents" }],
    [{ query: [page("x")] }, 400, { message: "The document at index 0 has no key" }],
    [{ query: [], action: "new-account" }, 400, { error: "bad_data" }],
    [
      { query: [{ key: "/works/OL1W", ...page("x", { subjects: "a" }) }] },
      400,
      { at: { property: "subjects" } },
    ],
    [
      { query: Array.from({ length: 1001 }, () => ({})) },
      400,
      { message: "Send at most 1000 documents at once" },
    ],
    [{ query: [{ key: "/usergroup/admin", type: typed("usergroup") }] }, 403, { error: "permission_denied" }],
    [
      { query: [{ key: "/books/OL1M", type: typed("edition"), works: [{ key: "/works/OL9W" }] }] },
      404,
      { key: "/works/OL9W" },
    ],
  ])("refuses invalid requests (%#)", async (fields, status, body) => {
    expect(await formAs(jane, "/save_many", fields)).toMatchObject({ status, body });
  });
});

describe("/write", () => {
  it("changes single properties and creates missing records", async () => {
    const made = String((await answer("/new_key?type=/type/author")).body);
    const query = [
      { key: "/works/OL2W", subtitle: { connect: "update", value: "Changed" } },
      { create: "unless_exists", key: made, type: typed("author"), name: "Made" },
    ];
    expect(await formAs(jane, "/write", { query, comment: "older", action: "old-write" })).toEqual({
      status: 200,
      body: { created: [made], updated: ["/works/OL2W"] },
    });
    expect(await read("/works/OL2W")).toMatchObject({ title: "Usual", subtitle: "Changed" });
    expect(await changesOf({ limit: 1 })).toMatchObject([{ kind: "old-write", comment: "older" }]);
    expect((await formAs(jane, "/write", { query })).body).toEqual({ created: [], updated: [] });
  });

  it.each([
    [{}, 400, { message: "Missing argument: 'query'" }],
    [{ query: "{" }, 400, { error: "bad_data" }],
    [{ query: [{ title: "x" }] }, 400, { message: "The query at index 0 has no key" }],
    [
      { query: { key: "/works/OL9W", title: { connect: "update", value: "x" } } },
      404,
      { key: "/works/OL9W" },
    ],
    [{ query: { key: "/people/boss", displayname: { connect: "update", value: "x" } } }, 403, {}],
  ])("refuses invalid requests (%#)", async (fields, status, body) => {
    expect(await formAs(jane, "/write", fields)).toMatchObject({ status, body });
  });
});

describe("/new_key and /permission", () => {
  it.each([
    ["/type/work", /^\/works\/OL\d+W$/],
    ["/type/author", /^\/authors\/OL\d+A$/],
    ["/type/series", /^\/series\/OL\d+L$/],
    ["/type/page", /^\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ])("new_key of %s returns a fresh key", async (type, expected) => {
    const first = (await answer(`/new_key?type=${type}`)).body;
    expect(first).toMatch(expected);
    expect((await answer(`/new_key?type=${type}`)).body).not.toBe(first);
  });

  it("new_key of a list is below its owner", async () => {
    const { body } = await answer("/new_key?type=/type/list", { headers: onBehalfOf(jane) });
    expect(body).toMatch(/^\/people\/jane\/lists\/OL\d+L$/);
  });

  it("new_key skips records above the sequence", async () => {
    await service.load(author(70));
    await env.CATALOG.prepare("UPDATE sequence SET value = 69 WHERE name = 'type_author_seq'").run();
    expect((await answer("/new_key?type=/type/author")).body).toBe("/authors/OL71A");
  });

  it.each([
    ["jane", "/works/OL9999W", true],
    ["jane", "/people/jane/lists/OL1L", true],
    ["jane", "/people/boss/lists/OL1L", false],
    ["boss", "/usergroup/admin", true],
    ["mallory", "/works/OL1W", false],
    ["nobody", "/works/OL1W", false],
  ])("permission of %s for %s", async (name, key, expected) => {
    const who = [jane, boss, blocked].find(({ username }) => username === name);
    const headers = who === undefined ? {} : onBehalfOf(who);
    const { body } = await answer(`/permission?key=${key}`, { headers });
    expect(body).toEqual({ write: expected, admin: expected });
  });

  it.each(["/new_key", "/permission"])("%s without an argument answers 400", async (path) => {
    expect(await answer(path)).toMatchObject({ status: 400, body: { error: "bad_data" } });
  });
});

describe("service operations", () => {
  it("reindex queues the records that show the keys", async () => {
    const keys = ["/books/OL1M", "/authors/OL1A", "/works/OL2W", "/works/OL999W", "/about"];
    const before = service.now;
    service.now = Date.parse("2099-01-01T00:00:00Z");
    expect(await formAs(undefined, "/reindex", { keys })).toEqual({ status: 200, body: { status: "ok" } });
    service.now = before;
    const { results } = await env.SEARCH.prepare(
      "SELECT key FROM index_job WHERE kind = 'document' AND due > '2099'",
    ).all();
    const jobs = results.map(({ key }) => key);
    expect(jobs).toEqual(expect.arrayContaining(["/works/OL1W", "/works/OL2W", "/authors/OL1A"]));
    expect(jobs).not.toContain("/works/OL999W");
    await env.SEARCH.prepare("DELETE FROM index_job WHERE due > '2099'").run();
  });

  it.each([{}, { keys: "x" }, { keys: {} }])("reindex %j answers 400", async (fields) => {
    expect(await formAs(undefined, "/reindex", fields)).toMatchObject({
      status: 400,
      body: { error: "bad_data" },
    });
  });

  it.each([
    ["PUT", "", 412, ""],
    ["DELETE", "", 405, expect.anything()],
    ["POST", "/clear_cache", 200, { done: true }],
  ])("%s <site>%s: %i", async (method, path, status, body) => {
    expect(await answer(path, { method })).toEqual({ status, body });
  });

  it("refuse writes while read-only", async () => {
    const set = (readOnly: boolean): Promise<Response> =>
      boss.fetch("/admin/read-only", {
        method: "POST",
        body: JSON.stringify({ read_only: readOnly }),
        headers: { "Content-Type": "application/json" },
      });
    expect((await set(true)).status).toBe(200);
    const refused = { status: 503, body: { error: "read_only" } };
    expect(await saveAs(jane, "/works/OL1W", page("x"))).toMatchObject(refused);
    expect(await answer("/_store/x", raw("PUT", {}))).toMatchObject(refused);
    expect(await formAs(undefined, "/account/register", {})).toMatchObject(refused);
    expect((await answer("/clear_cache", { method: "POST" })).status).toBe(200);
    expect((await set(false)).status).toBe(200);
  });
});

describe("/log", () => {
  it("has single saves separately and others together", async () => {
    service.now = Date.parse("2026-11-22T00:00:00Z");
    await saveAs(jane, "/works/OL1W", page("Logged", { _comment: "one" }));
    await formAs(jane, "/save_many", {
      query: [
        { key: "/works/OL1W", ...page("Both") },
        { key: "/works/OL2W", ...page("Both") },
      ],
    });
    await service.load(work(90));
    const { data } = Object((await answer("/log/2026-11-22:0")).body);
    expect(data).toMatchObject([
      {
        action: "save",
        data: {
          comment: "one",
          key: "/works/OL1W",
          query: { title: "Logged" },
          result: { key: "/works/OL1W" },
          author: { key: "/people/jane" },
          ip: "203.0.113.9",
          changeset: { docs: [{ title: "Logged" }], old_docs: [{ key: "/works/OL1W" }] },
        },
      },
      { action: "save_many", data: { query: [{ title: "Both" }, { title: "Both" }] } },
      { action: "save_many", data: { result: [{ key: "/works/OL90W", revision: 1 }] } },
    ]);
  });
});

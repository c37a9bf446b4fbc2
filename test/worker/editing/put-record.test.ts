import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { OPT, looking, put, send } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange } = looking(service);
let api: LoggedIn;
let admin: LoggedIn;
let bot: LoggedIn;

beforeAll(async () => {
  api = await loggedIn(service, "apiuser", { groups: ["api"] });
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  bot = await loggedIn(service, "ImportBot", { bot: true });
  await service.load(
    author(1),
    work(1, { authors: [1], subjects: ["Whales"] }),
    work(2, { title: "With editions" }),
    work(3),
    edition(1, { work: 1 }),
    edition(2, { work: 2 }),
  );
});

const DELETE = { type: { key: "/type/delete" }, _comment: "not a book" };

describe("PUT /{record}", () => {
  it("answers 403 without permission to modify the record", async () => {
    expect(await put(api, "/about.json", { type: { key: "/type/page" }, title: "x" })).toMatchObject({
      status: 403,
      body: { error: "permission_denied", message: "Permission denied to modify '/about'" },
    });
  });

  it("saves a changed record, and returns a bookmark", async () => {
    const before = await read("/works/OL1W");
    const body = JSON.stringify({ ...before, subjects: ["Whales", "Sea"], _comment: "more subjects" });
    const response = await api.fetch("/works/OL1W.json", { method: "PUT", body });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual({ key: "/works/OL1W", revision: before.revision + 1 });
    expect(response.headers.get("X-Carrel-Bookmark")).toBeTruthy();
    expect(response.headers.getSetCookie().some((one) => one.startsWith("carrel_bookmark="))).toBe(true);
    expect(await read("/works/OL1W")).toMatchObject({ subjects: ["Whales", "Sea"], latest_revision: 2 });
    expect(await lastChange()).toMatchObject({
      kind: "update",
      comment: "more subjects",
      author: { key: api.key },
      changes: [{ key: "/works/OL1W", revision: 2 }],
    });
  });

  it("answers {} without a change when nothing differs", async () => {
    const { id } = await lastChange();
    expect(await put(api, "/works/OL1W.json", { ...(await read("/works/OL1W")), _comment: "x" })).toEqual({
      status: 200,
      body: {},
    });
    expect((await lastChange())["id"]).toBe(id);
  });

  it.each([
    ["with a key in the body", "/works/OL3W.json", { key: "/works/OL1W" }],
    ["with a title in the path", "/works/OL3W/Some_Title.json", {}],
  ])("saves a record %s", async (name, path, more) => {
    const body = { ...(await read("/works/OL3W")), title: name, ...more };
    expect((await put(api, path, body)).status).toBe(200);
    expect(await read("/works/OL3W")).toMatchObject({ title: name });
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])(
    "saves without a suffix as %s",
    async (type) => {
      const body = { ...(await read("/works/OL3W")), title: type };
      expect((await put(api, "/works/OL3W", body, { "Content-Type": type })).status).toBe(200);
      expect(await read("/works/OL3W")).toMatchObject({ title: type });
    },
  );

  it.each([
    ["/works/OL3W", "text/plain"],
    ["/works/OL3W", "application/x-www-form-urlencoded"],
    ["/works/OL3W.yml", "application/json"],
    ["/works/OL3W.rdf", "text/plain"],
  ])("answers 415 to %s as %s", async (path, type) => {
    expect((await put(api, path, "{}", { "Content-Type": type })).status).toBe(415);
  });

  it("takes comment, kind and data from the body, and prefers the header's comment", async () => {
    const control = { _comment: "of the body", _action: "tidy-up", _data: { batch: 7 } };
    const headers = { ...OPT, "42-comment": "of the header", "42-action": "other" };
    const body = { ...(await read("/works/OL3W")), title: "Controlled", ...control };
    expect((await put(api, "/works/OL3W.json", body, headers)).status).toBe(200);
    expect(await lastChange()).toMatchObject({
      kind: "tidy-up",
      comment: "of the header",
      data: { batch: 7 },
    });
    expect(await read("/works/OL3W")).not.toHaveProperty("_comment");
  });

  const good = { type: { key: "/type/work" }, title: "x" };
  const at = (property?: string) => ({ key: "/works/OL3W", ...(property === undefined ? {} : { property }) });
  it.each<[string, unknown, number, object]>([
    ["no JSON", "{", 400, { error: "bad_data", message: expect.stringMatching(/^Bad JSON: /) }],
    ["no text", "", 400, { error: "bad_data", message: expect.stringMatching(/^Bad JSON: /) }],
    ["an array", [], 400, { error: "bad_data", message: "Bad JSON: expected an object" }],
    ["nested too deep", `${"[".repeat(90)}${"]".repeat(90)}`, 400, { error: "bad_data" }],
    [
      "a control member of the wrong type",
      { ...good, _comment: 7 },
      400,
      { message: "Bad Property: '_comment'" },
    ],
    ["an unknown type", { type: { key: "/type/nothing" } }, 404, { error: "notfound", key: "/type/nothing" }],
    [
      "one value for many",
      { ...good, subjects: "x" },
      400,
      {
        error: "bad_data",
        message: "expected list, found atom",
        at: at("subjects"),
        value: "x",
      },
    ],
    [
      "a reference to nothing",
      { ...good, cover_edition: { key: "/books/OL99M" } },
      404,
      {
        error: "notfound",
        key: "/books/OL99M",
        at: at("cover_edition"),
      },
    ],
    ["a kind of the service", { ...good, _action: "merge-authors" }, 400, { error: "bad_data" }],
    ["a bad kind", { ...good, _action: "Bad Kind" }, 400, { error: "bad_data" }],
    ["too large a body", { ...good, x: "y".repeat(1024 * 1024) }, 413, { error: "too_large" }],
    ["a deletion", DELETE, 403, { error: "permission_denied" }],
  ])("refuses %s", async (_name, body, status, answer) => {
    const before = await read("/works/OL3W");
    expect(await put(api, "/works/OL3W.json", body)).toMatchObject({ status, body: answer });
    expect(await read("/works/OL3W")).toEqual(before);
  });

  it("honours If-Match, and saves stale records without it", async () => {
    const { revision, ...document } = await read("/works/OL3W");
    const save = (title: string, match?: string) =>
      put(api, "/works/OL3W.json", { ...document, title }, match === undefined ? {} : { "If-Match": match });
    expect(await save("a", `"${revision}"`)).toMatchObject({ status: 200, body: { revision: revision + 1 } });
    expect(await save("b", `"${revision}"`)).toEqual({
      status: 409,
      body: { error: "conflict", key: "/works/OL3W", message: "Document update conflict" },
    });
    expect((await save("c", `W/"${revision + 1}-yml"`)).status).toBe(200);
    expect((await save("d", "*")).status).toBe(200);
    expect((await save("e", "yesterday")).status).toBe(400);
    expect((await save("f")).status).toBe(200);
    const missing = await put(admin, "/works/OL77W.json", good, { "If-Match": "*" });
    expect(missing.status).toBe(409);
  });

  it("creates records for administrators, and for bots at keys of records", async () => {
    expect(await put(admin, "/works/OL500W.json", good)).toEqual({
      status: 200,
      body: { key: "/works/OL500W", revision: 1 },
    });
    expect((await put(bot, "/works/OL501W.json", good)).status).toBe(200);
    expect((await put(api, "/works/OL502W.json", good)).status).toBe(403);
    expect((await put(bot, "/works/none.json", good)).status).toBe(400);
    expect((await send(api, ["POST", "/api/new"], good)).body).toBe("/works/OL502W");
    expect((await put(admin, "/about.json", { type: { key: "/type/page" }, title: "About" })).status).toBe(
      200,
    );
  });
});

describe("PUT of a deletion", () => {
  it("needs an administrator, and keeps the work of the last edition", async () => {
    expect((await put(bot, "/books/OL1M.json", DELETE)).status).toBe(403);
    expect(await put(admin, "/books/OL1M.json", DELETE)).toEqual({
      status: 200,
      body: { key: "/books/OL1M", revision: 2 },
    });
    expect(await read("/books/OL1M")).toMatchObject({ type: { key: "/type/delete" }, revision: 2 });
    expect(await read("/books/OL1M")).not.toHaveProperty("title");
    expect(await lastChange()).toMatchObject({ comment: "not a book", kind: "update" });
    expect(await read("/works/OL1W")).toMatchObject({ type: { key: "/type/work" } });
  });

  it("keeps the editions of a work, and an author without works", async () => {
    await service.load(author(20), work(20, { authors: [20] }), edition(20, { work: 20 }));
    expect((await put(admin, "/works/OL20W.json", DELETE)).status).toBe(200);
    expect(await read("/books/OL20M")).toMatchObject({ works: [{ key: "/works/OL20W" }] });
    expect(await read("/authors/OL20A")).toMatchObject({ type: { key: "/type/author" } });
    expect((await put(admin, "/authors/OL20A.json", DELETE)).status).toBe(200);
  });
});

describe("POST /works/OL…W/…/delete", () => {
  const remove = (who: LoggedIn, path: string, init: RequestInit = {}) =>
    who.fetch(path, { method: "POST", ...init });
  const editions = (of: number, from: number, count: number): TestRecord[] =>
    Array.from({ length: count }, (_, index) => edition(from + index, { work: of }));
  const left = async (key: string) =>
    (Object(await service.json(`${key}/editions.json`)) as { size: number }).size;

  it("deletes a work with its editions as one change", async () => {
    await service.load(work(40), ...editions(40, 40, 3));
    const refused = await remove(api, "/works/OL40W/-/delete");
    expect(refused.status).toBe(403);
    const answer = await remove(admin, "/works/OL40W/-/delete.json?comment=spam");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: "ok" });
    const change = await lastChange();
    expect(change).toMatchObject({ kind: "bulk-delete-books", comment: "spam" });
    expect(change["changes"]).toHaveLength(4);
    expect(await read("/books/OL42M")).toMatchObject({ type: { key: "/type/delete" } });
    expect((await remove(admin, "/works/OL40W/delete")).status).toBe(404);
    expect((await remove(admin, "/works/OL99W/delete.json")).status).toBe(404);
  });

  it("needs bulk for more than 1,000 editions, in several changes", async () => {
    await service.load(work(41), ...editions(41, 10_000, 1003));
    const refused = await remove(admin, "/works/OL41W/x/delete");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ error: "API can only delete 1000 editions per work." });
    expect(await left("/works/OL41W")).toBe(1003);
    const form = new URLSearchParams({ bulk: "true", comment: "all" });
    expect((await remove(admin, "/works/OL41W/x/delete.json", { body: form })).status).toBe(200);
    const [last, first] = (await service.json("/recentchanges.json?limit=2")) as { changes: unknown[] }[];
    expect([first?.changes.length, last?.changes.length]).toEqual([1000, 4]);
    expect(await read("/works/OL41W")).toMatchObject({ type: { key: "/type/delete" } });
    const { results } = await env.CATALOG.prepare(
      "SELECT 1 FROM property WHERE value = '/works/OL41W'",
    ).all();
    expect(results).toEqual([]);
  });
});

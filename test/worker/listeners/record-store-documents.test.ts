import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createLink } from "../../../src/db/accounts/write-secrets.ts";
import { QUERIED_BYTES } from "../../../src/db/service/store.ts";
import { lender } from "../../support/worker/lending.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { form, raw, testStore } from "../../support/worker/record-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const { call, answer } = testStore(service);

const OK = { status: 200, body: { ok: true } };
const put = (key: string, document: unknown) => answer(`/_store/${key}`, raw("PUT", document));
const read = async (key: string) => Object((await answer(`/_store/${key}`)).body);
const conflict = (key: string) => ({
  status: 409,
  body: { error: "conflict", key, message: "Document update conflict" },
});
const found = async (query: string) => (await answer(`/_store/_query?${query}`)).body;
const keysFound = async (query: string) => Object(await found(query)).map(({ key }: { key: string }) => key);

describe("/_store/<key>", () => {
  it("returns a document with its key and a rev that changes with each write", async () => {
    expect(await put("one", { type: "note", text: "first", _rev: "17", _key: "other" })).toEqual(OK);
    const first = await read("one");
    expect(first).toEqual({ type: "note", text: "first", _key: "one", _rev: expect.stringMatching(/^\d+$/) });
    expect(await put("one", { text: "second", _rev: first._rev })).toEqual(OK);
    const second = await read("one");
    expect(second).toEqual({ text: "second", _key: "one", _rev: expect.any(String) });
    expect(Number(second._rev)).toBeGreaterThan(Number(first._rev));
  });

  it("accepts keys with slashes, blanks and non-ASCII letters", async () => {
    for (const key of ["ebooks/books/OL1M", "/solr/x", "a%20b", "%C3%A9"]) {
      expect(await put(key, { key })).toEqual(OK);
      expect(await read(key)).toMatchObject({ _key: decodeURIComponent(key), key });
    }
  });

  it.each([
    ["a stale rev", "1"],
    ["a rev that is no number", "x"],
    ["a rev of another type", {}],
    ["no rev", undefined],
  ])("refuses to replace a document with %s", async (name, _rev) => {
    const key = `kept/${name.replaceAll(" ", "-")}`;
    await put(key, { text: "kept" });
    expect(await put(key, { text: "lost", ...(_rev === undefined ? {} : { _rev }) })).toEqual(conflict(key));
    expect(await read(key)).toMatchObject({ text: "kept" });
  });

  it("replaces with a null rev or the rev as a number", async () => {
    await put("forced", { n: 1 });
    expect(await put("forced", { n: 2, _rev: null })).toEqual(OK);
    const { _rev: rev } = await read("forced");
    expect(await put("forced", { n: 3, _rev: Number(rev) })).toEqual(OK);
    expect(await read("forced")).toMatchObject({ n: 3 });
  });

  it("deletes with the rev or without one", async () => {
    await put("gone", { n: 1 });
    expect(await put("gone", { _delete: true, _rev: "1" })).toEqual(conflict("gone"));
    const { _rev } = await read("gone");
    expect(await put("gone", { _delete: true, _rev })).toEqual(OK);
    expect(await answer("/_store/gone")).toEqual({ status: 404, body: { error: "notfound", key: "gone" } });
    expect(await put("gone", { _delete: true })).toEqual(OK);
    expect(await answer("/_store/gone", { method: "DELETE" })).toEqual(OK);
    await put("gone", { n: 2 });
    expect(Number((await read("gone"))._rev)).toBeGreaterThan(Number(_rev));
    expect(await answer("/_store/gone", { method: "DELETE" })).toEqual(OK);
    expect((await call("/_store/gone")).status).toBe(404);
    expect(await found("name=n&value=2")).toEqual([]);
  });

  it("lets one of fifty writers with the same rev win", async () => {
    await put("raced", { n: -1 });
    const { _rev } = await read("raced");
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => put("raced", { n, _rev })));
    const winners = all.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(49);
    expect((await read("raced")).n).toBe(winners[0]);
    expect(await keysFound(`name=n&value=${winners[0]}`)).toContain("raced");
  });

  it.each([
    ["PUT", "x", "{", 400, { error: "bad_data" }],
    ["PUT", "x", "[]", 400, { message: "Bad JSON: expected an object" }],
    ["PUT", "x".repeat(513), "{}", 400, { error: "bad_data" }],
    ["PUT", "%ff", "{}", 400, { message: "Bad key: '%ff'" }],
    ["PUT", "x", JSON.stringify({ list: Array.from({ length: 10_001 }, (_, n) => n) }), 400, {}],
    ["PUT", "x", JSON.stringify({ ["n".repeat(999)]: Array.from({ length: 999 }, (_, n) => n) }), 400, {}],
    ["PUT", "x", JSON.stringify({ text: "x".repeat(1024 * 1024) }), 413, { error: "too_large" }],
    ["PUT", "_query", "{}", 405, {}],
    ["POST", "x", "{}", 405, {}],
    ["GET", "missing", undefined, 404, { error: "notfound", key: "missing" }],
    ["GET", "_other", undefined, 404, { error: "notfound" }],
    ["DELETE", "account/jane", undefined, 400, { error: "bad_data" }],
  ])("%s refuses invalid requests (%#)", async (method, key, body, status, expected) => {
    const result = await answer(`/_store/${key}`, { method, ...(body === undefined ? {} : { body }) });
    expect(result).toMatchObject({ status, body: expected });
  });
});

describe("documents larger than an answer together", () => {
  it("are refused whole, and still listed by key", async () => {
    const text = "x".repeat(900_000);
    const keys = Array.from({ length: 10 }, (_document, index) => `large/${index}`);
    for (const key of keys) await put(key, { type: "large", text });
    const limit = `type=large&limit=${keys.length}`;
    expect(await answer(`/_store/_query?${limit}&include_docs=true`)).toMatchObject({
      status: 413,
      body: {
        error: "too_large",
        message: expect.stringContaining(`The records are larger than ${QUERIED_BYTES} bytes`),
      },
    });
    expect((await keysFound(limit)).sort()).toEqual(keys.sort());
    expect(await found("type=large&limit=8&include_docs=true")).toHaveLength(8);
  });
});

describe("/_store/_save_many", () => {
  const putMany = (documents: unknown) => answer("/_store/_save_many", raw("POST", documents));

  it("stores and deletes several documents together", async () => {
    await put("many/old", { n: 1 });
    expect(
      await putMany([
        { _key: "many/a", n: 1 },
        { _key: "many/old", _delete: true },
      ]),
    ).toEqual({ status: 200, body: null });
    expect(await read("many/a")).toMatchObject({ n: 1 });
    expect((await call("/_store/many/old")).status).toBe(404);
  });

  it("changes nothing when one document conflicts", async () => {
    await put("many/b", { n: 1 });
    const documents = [
      { _key: "many/c", n: 1 },
      { _key: "many/b", n: 2 },
    ];
    expect(await putMany(documents)).toEqual(conflict("many/b"));
    expect((await call("/_store/many/c")).status).toBe(404);
    expect(await read("many/b")).toMatchObject({ n: 1 });
    const twice = [
      { _key: "many/d", n: 1 },
      { _key: "many/d", n: 2 },
    ];
    expect(await putMany(twice)).toEqual(conflict("many/d"));
  });

  it.each([
    ["{}", "Bad JSON: expected an array of objects"],
    ["[1]", "Bad JSON: expected an array of objects"],
    ['[{"n":1}]', "Missing '_key' in the document at index 0"],
    ['[{"_key":""}]', "Missing '_key' in the document at index 0"],
    ['[{"_key":"_x"}]', "Bad key: '_x'"],
    ['[{"_key":"/people/jane/preferences","updates":"no"}]', expect.stringContaining("alone, with PUT")],
    [
      JSON.stringify(Array.from({ length: 101 }, (_, n) => ({ _key: `m${n}` }))),
      "Send at most 100 documents at once",
    ],
  ])("refuses invalid bodies (%#)", async (body, message) => {
    expect(await putMany(body)).toEqual({ status: 400, body: { error: "bad_data", message } });
  });
});

describe("/_store/_query", () => {
  beforeAll(async () => {
    await put("q/1", {
      type: "q",
      a: { b: ["x", "y"], "c.d": 1 },
      yes: true,
      no: false,
      none: null,
      _hidden: "x",
    });
    await put("q/2", { type: "q", a: { b: "x" }, n: 1.5, list: [{ k: "v" }, { k: "w" }] });
    await put("q/3", { type: "r", a: { b: "x" } });
    const { _rev } = await read("q/1");
    await put("q/1", { type: "q", a: { b: ["x", "y"], "c.d": 1 }, yes: true, no: false, _hidden: "x", _rev });
  });

  it.each([
    ["type=q", ["q/1", "q/2"]],
    ["type=q&name=a.b&value=x", ["q/1", "q/2"]],
    ["name=a.b&value=x", ["q/1", "q/3", "q/2"]],
    ["type=q&name=a.b&value=y", ["q/1"]],
    ["type=q&name=n&value=1.5", ["q/2"]],
    ["type=q&name=list.k&value=w", ["q/2"]],
    ["type=q&name=_hidden&value=x", []],
    ["type=q&name=type&value=q", []],
    ["type=q&name=none&value=null", []],
    ["type=q&limit=1", ["q/1"]],
    ["type=q&limit=1&offset=1", ["q/2"]],
    ["type=q&limit=x&offset=-1", ["q/1", "q/2"]],
    ["type=q&limit=0", []],
  ])("%s", async (query, keys) => expect(await keysFound(query)).toEqual(keys));

  it("finds all documents without conditions, last written first", async () => {
    expect(await keysFound("limit=2")).toEqual(["q/1", "q/3"]);
  });

  it("includes documents on request", async () => {
    const doc = { type: "r", a: { b: "x" }, _key: "q/3", _rev: expect.any(String) };
    expect(await found("type=r&include_docs=true")).toEqual([{ key: "q/3", doc }]);
    expect(await found("type=r&include_docs=false")).toEqual([{ key: "q/3" }]);
  });

  it("refuses types that are stored elsewhere", async () => {
    expect(await answer("/_store/_query?type=account")).toEqual({
      status: 400,
      body: { error: "bad_data", message: "Documents of type account cannot be queried." },
    });
  });
});

describe("documents of accounts and preferences", () => {
  beforeAll(async () => {
    await loggedIn(service, "Vera");
    const link = { username: "Vera", email: "Vera@example.com", now: service.now };
    await createLink(env.PATRONS, { ...link, purpose: "verify", code: "0123456789abcdef" });
  });

  it.each([
    ["account/Vera", { type: "account", username: "Vera", lusername: "vera", email: "Vera@example.com" }],
    ["account-email/vera@example.com", { type: "account-email", username: "Vera" }],
    [
      "account/Vera/verify",
      {
        type: "account-link",
        username: "Vera",
        email: "Vera@example.com",
        created_on: "2026-11-21T12:00:00.000000",
        expires_on: "2026-11-22T12:00:00.000000",
      },
    ],
    ["/people/Vera/preferences", { type: "preferences", public_readlog: "no", updates: "no", safe_mode: "" }],
  ])("%s is read without secrets", async (key, expected) => {
    const document = await read(key);
    expect(document).toMatchObject({ ...expected, _key: key, _rev: expect.stringMatching(/^\d+$/) });
    expect(JSON.stringify(document)).not.toMatch(/scrypt|password|0123456789abcdef|[0-9a-f]{64}/);
  });

  it.each([
    "account/nobody",
    "account-email/no@example.com",
    "account/Vera/password",
    "account/Vera/x",
    "/people/nobody/preferences",
  ])("answers 404 for %s", async (key) => {
    expect(await answer(`/_store/${key}`)).toEqual({ status: 404, body: { error: "notfound", key } });
  });

  it.each([
    ["account/Vera", "account/update"],
    ["account/new", "account/register"],
    ["account-email/x@example.com", "account/update"],
    ["account/Vera/password", "Only the service creates it"],
    ["account/Vera/x", "account/update"],
  ])("refuses to write %s", async (key, message) => {
    expect(await put(key, { status: "active", _rev: null })).toEqual({
      status: 400,
      body: { error: "bad_data", message: expect.stringContaining(message) },
    });
  });

  it("writes the preferences that patrons can set", async () => {
    const key = "/people/Vera/preferences";
    const before = await read(key);
    expect(await put(key, { ...before, updates: "yes" })).toEqual(OK);
    expect(await put(key, { ...before, updates: "no" })).toEqual(conflict(key));
    expect(await put(key, { type: "preferences", safe_mode: "yes", _rev: null })).toEqual(OK);
    expect(await put(key, { public_readlog: "yes" })).toEqual(OK);
    const after = await read(key);
    expect(after).toMatchObject({ updates: "yes", safe_mode: "yes", public_readlog: "yes" });
    expect(after._rev).not.toBe(before._rev);
  });

  it.each([
    ["/people/Vera/preferences", { updates: "maybe" }, 400],
    ["/people/Vera/preferences", { other: "x" }, 400],
    ["/people/Vera/preferences", { _delete: true }, 400],
    ["/people/nobody/preferences", { updates: "yes" }, 404],
  ])("%s %j: %i", async (key, document, status) => {
    expect((await put(key, document)).status).toBe(status);
  });
});

describe("/_store/ebooks/<ocaid>", () => {
  const { borrower, item } = lender();

  it("shows the loan without names, read-only", async () => {
    const ocaid = await item();
    const key = `ebooks/${ocaid}`;
    const free = { _key: key, type: "ebook", identifier: ocaid, loan: null, borrowed: "false", wl_size: 0 };
    const before = await read(key);
    expect(before).toEqual({ ...free, _rev: expect.stringMatching(/^\d+$/) });
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const loan = await ann.open(ocaid, "borrow");
    if (!loan.ok) throw new Error(loan.text.key);
    await ben.join(ocaid);
    const { uuid, loanedAt } = loan.value;
    const after = await read(key);
    expect(after).toEqual({
      ...free,
      loan: { uuid, loaned_at: loanedAt / 1000, resource_type: "bookreader", ocaid, book: "/books/OL1M" },
      borrowed: "true",
      wl_size: 1,
      _rev: expect.stringMatching(/^\d+$/),
    });
    expect(after._rev).not.toBe(before._rev);
    expect((await answer(`/_store/${key}`, raw("PUT", { borrowed: "false" }))).status).toBe(400);
    expect((await answer(`/_store/${key}`, { method: "DELETE" })).status).toBe(400);
    expect((await answer("/_store/ebooks/nobody00knows")).status).toBe(404);
  });
});

describe("sequences", () => {
  it("give every number to one caller", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => answer("/_seq/list", form({}))));
    const values = all.map(({ body }) => Object(body).value).toSorted((a, b) => a - b);
    expect(values).toEqual(Array.from({ length: 10 }, (_, n) => n + 1));
    expect((await answer("/_seq/list")).body).toEqual({ name: "list", value: 10 });
    expect((await answer("/_seq/other", form({}))).body).toEqual({ name: "other", value: 1 });
    expect((await call("/_seq/a.b")).status).toBe(404);
  });
});

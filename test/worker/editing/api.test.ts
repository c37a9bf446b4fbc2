import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, redirected, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { OPT, looking, send } from "../../support/worker/writing.ts";

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
    edition(3, { work: 2 }),
    redirected("/works/OL9W", "/works/OL1W"),
  );
});

describe("POST /api/new", () => {
  const make = (body: unknown, headers?: Record<string, string>) =>
    send(api, ["POST", "/api/new.json"], body, headers);
  const role = { type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } };

  it("returns the new key as JSON", async () => {
    const answer = await make({ type: { key: "/type/work" }, title: "New", authors: [role] });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatch(/^\/works\/OL\d+W$/);
    expect(await read(String(answer.body))).toMatchObject({ title: "New", revision: 1, authors: [role] });
    expect(await lastChange()).toMatchObject({ kind: "bulk_update", comment: null });
  });

  it("creates several records in one change, and returns their keys in order", async () => {
    const documents = [
      { type: "/type/author", name: "A" },
      { type: { key: "/type/work" }, title: "B", key: "/works/OL1W" },
      { type: { key: "/type/edition" }, title: "C" },
      { type: { key: "/type/series" }, name: "D" },
      { type: { key: "/type/publisher" }, name: "E" },
      { type: { key: "/type/tag" }, name: "F" },
    ];
    const headers = { ...OPT, "42-comment": "six" };
    expect((await make(documents, headers)).status).toBe(400);
    const keys = (await send(admin, ["POST", "/api/new"], documents, headers)).body as string[];
    const patterns = [/^\/authors\/OL\d+A$/, /^\/works\/OL\d+W$/, /^\/books\/OL\d+M$/, /^\/series\/OL\d+L$/];
    for (const [index, pattern] of patterns.entries()) expect(keys[index]).toMatch(pattern);
    expect(keys.slice(4).join(" ")).toMatch(/^\/publishers\/OL\d+P \/tags\/OL\d+T$/);
    expect(await lastChange()).toMatchObject({
      comment: "six",
      changes: keys.map((key) => ({ key, revision: 1 })),
    });
  });

  it("creates nothing for an empty list", async () => {
    expect(await make([])).toEqual({ status: 200, body: [] });
  });

  it("takes control members of a single document, and prefers headers", async () => {
    const body = { type: { key: "/type/author" }, name: "X", _comment: "body", _action: "create-author" };
    await make(body);
    expect(await lastChange()).toMatchObject({ kind: "create-author", comment: "body" });
    await make(body, { ...OPT, "42-comment": "header", "42-action": "tidy", "42-data": '{"a": 1}' });
    expect(await lastChange()).toMatchObject({ kind: "tidy", comment: "header", data: { a: 1 } });
  });

  it.each<[string, unknown, unknown]>([
    ["no JSON", "nonsense", expect.stringMatching(/^Bad JSON: /)],
    ["a text", '"x"', expect.stringMatching(/^Bad JSON: /)],
    ["no type", { title: "x" }, "Missing type"],
    ["a type without a key", { type: { x: 1 } }, 'Bad Type: {"x": 1}'],
    ["a type of lists", { type: "/type/list" }, 'Bad Type: "/type/list"'],
    ["no title", { type: "/type/work" }, "missing title"],
    [
      "a reference to nothing",
      { type: "/type/edition", title: "x", works: [{ key: "/works/OL99W" }] },
      expect.any(String),
    ],
    [
      "a prototype",
      '{"type": "/type/work", "title": "x", "__proto__": {"a": 1}}',
      "Bad Property: '__proto__'",
    ],
  ])("answers 400 for %s", async (_name, body, message) => {
    const { id } = await lastChange();
    expect(await make(body)).toMatchObject({ status: 400, body: { error: "bad_data", message } });
    expect((await lastChange())["id"]).toBe(id);
  });
});

describe("POST /api/save_many", () => {
  const save = (body: unknown, headers: Record<string, string> = {}, who = api) =>
    send(who, ["POST", "/api/save_many"], body, headers);

  it("saves all documents in one change, and returns those that changed", async () => {
    const [one, two] = [await read("/works/OL2W"), await read("/books/OL2M")];
    const headers = {
      ...OPT,
      "42-comment": "Merge works",
      "42-action": "merge-works",
      "42-data": '{"master": "/works/OL2W", "mrid": null}',
    };
    expect(
      await save(
        [{ ...one, title: "Changed" }, await read("/works/OL1W"), { ...two, title: "Too" }],
        headers,
      ),
    ).toEqual({
      status: 200,
      body: [
        { key: "/works/OL2W", revision: 2 },
        { key: "/books/OL2M", revision: 2 },
      ],
    });
    expect(await lastChange()).toMatchObject({
      kind: "merge-works",
      comment: "Merge works",
      data: { master: "/works/OL2W", mrid: null },
    });
    const { last_modified: times } = await read("/works/OL2W");
    expect(await read("/books/OL2M")).toMatchObject({ last_modified: times });
    expect(await save([await read("/works/OL2W")])).toEqual({ status: 200, body: [] });
    expect(await save([])).toEqual({ status: 200, body: [] });
  });

  it("saves the last document of a key, and documents that refer to each other", async () => {
    const base = await read("/works/OL2W");
    expect(
      await save([
        { ...base, title: "1st" },
        { ...base, title: "2nd" },
      ]),
    ).toMatchObject({ body: [{ revision: 3 }] });
    expect(await read("/works/OL2W")).toMatchObject({ title: "2nd" });
    const documents = [
      { key: "/books/OL700M", type: { key: "/type/edition" }, title: "e", works: [{ key: "/works/OL700W" }] },
      { key: "/works/OL700W", type: { key: "/type/work" }, title: "w" },
    ];
    expect(await save(documents, {}, bot)).toMatchObject({ status: 200 });
  });

  it.each<[string, unknown, object]>([
    ["no JSON", "[", { error: "bad_data", message: expect.stringMatching(/^Bad JSON/) }],
    ["an object", {}, { error: "bad_data" }],
    [
      "keys missing",
      [{ key: "/works/OL1W", type: "/type/work" }, { type: "/type/work" }, {}],
      {
        error: "bad_data",
        message: "save_many: missing 'key' in docs at index [1, 2]",
      },
    ],
    [
      "too many",
      Array.from({ length: 1001 }, (_, index) => ({ key: workKey(index) })),
      { error: "bad_data" },
    ],
    [
      "a missing reference",
      [{ key: "/books/OL2M", type: "/type/edition", works: [{ key: "/works/OL99W" }] }],
      { error: "notfound", key: "/works/OL99W" },
    ],
    ["no permission", [{ key: "/about", type: "/type/page" }], { error: "permission_denied" }],
    [
      "a deletion without permission",
      [{ key: "/works/OL1W", type: { key: "/type/delete" } }],
      { error: "permission_denied" },
    ],
  ])("answers 400 and saves nothing for %s", async (_name, body, answer) => {
    const { id } = await lastChange();
    expect(await save(body)).toMatchObject({ status: 400, body: answer });
    expect((await lastChange())["id"]).toBe(id);
  });

  it("saves all or nothing, and reports all failures", async () => {
    const one = await read("/works/OL2W");
    const answer = await save([
      { ...one, title: "never" },
      { key: "/works/OL1W", type: "/type/work", title: 7 },
      { key: "/works/OL3W" },
    ]);
    expect(answer).toMatchObject({ status: 400, body: { errors: [expect.any(Object), expect.any(Object)] } });
    expect(await read("/works/OL2W")).toEqual(one);
  });

  it("deletes many for administrators", async () => {
    await service.load(work(30), edition(30, { work: 30 }));
    const tombstones = ["/works/OL30W", "/books/OL30M"].map((key) => ({
      key,
      type: { key: "/type/delete" },
    }));
    expect(await save(tombstones, {}, admin)).toMatchObject({
      status: 200,
      body: [{ revision: 2 }, { revision: 2 }],
    });
  });

  it.each<[string, Record<string, string>]>([
    ["another extension", { Opt: '"http://x/other"; ns=42', "42-comment": "no" }],
    ["bad data", { ...OPT, "42-data": "{" }],
    ["a kind of the service", { ...OPT, "42-action": "undo" }],
  ])("refuses headers with %s", async (name, headers) => {
    const body = [{ ...(await read("/works/OL2W")), title: `headers ${name}` }];
    expect((await save(body, headers)).status).toBe(400);
  });
});

describe("POST /api/write", () => {
  const write = (query: unknown, who = api) => send(who, ["POST", "/api/write"], query);

  it("changes single properties", async () => {
    const query = {
      key: "/works/OL3W",
      title: { connect: "update", value: "By write" },
      subjects: { connect: "update_list", value: ["a", "b"] },
    };
    expect(await write(query)).toEqual({ status: 200, body: { created: [], updated: ["/works/OL3W"] } });
    const more = [
      { key: "/works/OL3W", subjects: { connect: "insert", value: "c" } },
      { key: "/works/OL3W", subjects: { connect: "delete", value: "a" } },
    ];
    expect((await write(more)).status).toBe(200);
    expect(await read("/works/OL3W")).toMatchObject({ title: "By write", subjects: ["b", "c"] });
    expect(await write(query)).toMatchObject({ status: 200 });
    expect(await write({ key: "/works/OL3W", title: { connect: "update", value: "By write" } })).toEqual({
      status: 200,
      body: { created: [], updated: [] },
    });
  });

  it("creates missing records for users who may", async () => {
    const query = { create: "unless_exists", key: "/works/OL800W", type: { key: "/type/work" }, title: "w" };
    expect((await write(query)).status).toBe(400);
    expect(await write(query, bot)).toEqual({
      status: 200,
      body: { created: ["/works/OL800W"], updated: [] },
    });
  });

  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["no permission", { key: "/type/work", name: { connect: "update", value: "x" } }],
  ])("answers 400 for %s", async (_name, query) => {
    expect(await write(query)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { LIST_SEEDS_MAX } from "../../../src/catalog/lists/seeds.ts";
import { stored } from "../../support/worker/desk.ts";
import { JSON_BODY } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Answer, type Who, looking, send } from "../../support/worker/writing.ts";

const service = testService();
const { lastChange } = looking(service);
let joe: LoggedIn;
let admin: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  await service.load(work(1), work(2), edition(3));
});

const create = (who: Who, body: unknown, path = "/people/joe/lists.json"): Promise<Answer> =>
  send(who, ["POST", path], body, JSON_BODY);

describe("POST /people/<username>/lists.json", () => {
  // Q144
  it("matches the username case-insensitively", async () => {
    const made = await create(joe, { name: "Loud" }, "/people/JOE/lists.json");
    expect(made).toMatchObject({
      status: 200,
      body: { key: expect.stringMatching(/^\/people\/joe\/lists\//) },
    });
    const list = String(Object(made.body)["key"]).replace("joe", "Joe");
    expect(await service.json(`${list}.json`)).toMatchObject({ name: "Loud" });
    expect(await send(joe, ["POST", `${list}/seeds.json`], { add: ["OL1W"] }, JSON_BODY)).toMatchObject({
      status: 200,
    });
    expect(await service.json(`${list}/seeds.json`)).toMatchObject({ size: 1 });
    expect(await service.json("/people/JOE/lists.json")).toMatchObject({ links: { self: "/people/joe" } });
    const page = await service.fetch("/people/JOE/lists", { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("Loud");
    const record = Object(await service.json(`${list}.json?_raw=true`));
    const put = await send(admin, ["PUT", `${list}.json`], { ...record, name: "Quiet" }, JSON_BODY);
    expect(put).toEqual({ status: 200, body: { key: record["key"], revision: 3 } });
    expect((await joe.fetch("/people/JOE/lists/add")).status).toBe(200);
    expect(await send(joe, ["POST", `${list}/delete.json`], "")).toMatchObject({ status: 200 });
    expect((await service.fetch("/people/NOBODY/lists.json")).status).toBe(404);
  });

  it("creates a list with all members and records the change", async () => {
    const seeds = [
      "/works/OL1W",
      "subject:cheese",
      { thing: { key: "/works/OL2W" }, notes: "why" },
      "OL3M",
      { key: "/works/OL1W" },
    ];
    const made = await create(joe, { name: "foo", description: "foo bar", tags: ["t1", " ", "t1"], seeds });
    expect(made).toEqual({
      status: 200,
      body: { key: expect.stringMatching(/^\/people\/joe\/lists\/OL\d+L$/), revision: 1 },
    });
    const { key } = Object(made.body);
    expect(await stored(key)).toMatchObject({
      key,
      type: { key: "/type/list" },
      name: "foo",
      description: { type: "/type/text", value: "foo bar" },
      tags: ["t1"],
      seeds: [
        { key: "/works/OL1W" },
        "subject:cheese",
        { thing: { key: "/works/OL2W" }, notes: "why" },
        { key: "/books/OL3M" },
      ],
    });
    expect(await lastChange()).toMatchObject({
      kind: "create-list",
      comment: "Created new list.",
      author: { key: "/people/joe" },
      data: { list: { key }, seeds: [{ key: "/works/OL1W" }, "subject:cheese", {}, {}] },
      changes: [{ key, revision: 1 }],
    });
  });

  it("lets administrators create lists for a patron", async () => {
    const made = await create(admin, { name: "for joe" });
    expect(made.body).toMatchObject({ key: expect.stringContaining("/people/joe/lists/") });
  });

  it.each([
    [["foo"], "Invalid seed"],
    [["OL1W", "/works/OL77W"], "Seed not found: /works/OL77W"],
    [[{ thing: { key: "/books/OL77M" }, notes: "x" }], "Seed not found: /books/OL77M"],
  ])("seeds %j: 400 %s", async (seeds, detail) => {
    expect(await create(joe, { seeds })).toEqual({ status: 400, body: { detail } });
  });

  it.each([
    [{ name: null }, ["body", "name"], "string_type"],
    [{ name: "x".repeat(256) }, ["body", "name"], "string_too_long"],
    [{ tags: null }, ["body", "tags"], "list_type"],
    [{ tags: Array.from({ length: 101 }, (_one, n) => `t${n}`) }, ["body", "tags"], "too_long"],
    [{ seeds: Array.from({ length: LIST_SEEDS_MAX + 1 }, () => "OL1W") }, ["body", "seeds"], "too_long"],
  ])("422 number %#", async (body, loc, type) => {
    const answer = await create(joe, body);
    expect(answer.status).toBe(422);
    expect(Object(answer.body)["detail"]).toMatchObject([{ loc, type }]);
  });

  it("reports a seed that is neither string nor object under both types", async () => {
    expect(await create(joe, { seeds: ["OL1W", 7] })).toEqual({
      status: 422,
      body: {
        detail: [
          {
            type: "dict_type",
            loc: ["body", "seeds", 1, "dict[str,any]"],
            msg: "Input should be a valid dictionary",
            input: 7,
          },
          {
            type: "string_type",
            loc: ["body", "seeds", 1, "str"],
            msg: "Input should be a valid string",
            input: 7,
          },
        ],
      },
    });
  });

  it("refuses other callers in a fixed order", async () => {
    const [ann, reader, pending, librarian] = await Promise.all([
      loggedIn(service, "ann"),
      loggedIn(service, "reader", { groups: ["read-only"] }),
      loggedIn(service, "pending", { status: "pending" }),
      loggedIn(service, "libby", { groups: ["librarians"] }),
    ]);
    await service.load(deleted("/people/gone", 1));
    const denied = { status: 403, body: { detail: "Permission denied." } };
    expect(await create(service, "{", "/people/joe/lists.json")).toMatchObject({ status: 422 });
    expect(await create(service, {})).toEqual({ status: 401, body: { detail: "Authentication required" } });
    expect(await create(ann, { seeds: 7 }, "/people/nobody/lists.json")).toMatchObject({ status: 422 });
    expect(await create(ann, {}, "/people/nobody/lists.json")).toEqual({
      status: 404,
      body: { detail: "Not Found" },
    });
    expect(await create(ann, {}, "/people/gone/lists.json")).toMatchObject({ status: 404 });
    expect(await create(ann, { seeds: ["foo"] })).toEqual(denied);
    expect(await create(librarian, {})).toEqual(denied);
    expect(await create(reader, {}, "/people/reader/lists.json")).toEqual(denied);
    expect(await create(pending, {}, "/people/pending/lists.json")).toEqual(denied);
    const blocked = await loggedIn(service, "blocked", { status: "blocked" });
    expect(await create(blocked, {}, "/people/blocked/lists.json")).toMatchObject({ status: 401 });
  });

  it("checks spam words for librarians too", async () => {
    const librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
    const saved = await admin.fetch("/admin/spamwords", {
      method: "POST",
      body: new URLSearchParams({ spamwords: "cheap pills", domains: "" }),
    });
    expect(saved.status).toBeLessThan(400);
    const spam = { name: "Cheap pills here" };
    expect(await create(librarian, spam, "/people/libby/lists.json")).toEqual({
      status: 403,
      body: { detail: "Permission denied." },
    });
    expect((await create(librarian, { name: "Fine" }, "/people/libby/lists.json")).status).toBe(200);
  });
});

describe("concurrent requests", () => {
  it("get distinct list numbers", async () => {
    const ann = await loggedIn(service, "ann");
    const made = await Promise.all(
      Array.from({ length: 30 }, (_one, n) =>
        n % 2 === 0
          ? create(joe, { name: `List ${n}` })
          : create(ann, { name: `List ${n}` }, "/people/ann/lists.json"),
      ),
    );
    const numbers = made.map(({ body }) => /OL\d+L$/.exec(Object(body)["key"])?.[0]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(30);
  });
});

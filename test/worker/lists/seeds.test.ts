import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIST_SEEDS_MAX } from "../../../src/catalog/lists/seeds.ts";
import { stored } from "../../support/worker/desk.ts";
import { newList, postSeeds } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { HTML, looking, post, send } from "../../support/worker/writing.ts";

const service = testService();
const { lastChange } = looking(service);
let joe: LoggedIn;
let ann: LoggedIn;
let admin: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  ann = await loggedIn(service, "ann");
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  await service.load(
    work(1),
    work(2),
    work(3),
    edition(4),
    author(5),
    { key: "/lists/OL900L", type: "/type/list", name: "Of all", seeds: [{ key: "/works/OL1W" }] },
    deleted("/lists/OL901L", 2),
    // As in a dump of which only a part was loaded.
    {
      key: "/people/joe/lists/OL902L",
      type: "/type/list",
      name: "Old",
      seeds: [{ key: "/works/OL88W" }, { key: "/lists/OL5L" }, { key: "/works/OL1W" }],
    },
  );
});

const seedsOf = async (key: string) => (await stored(key))?.["seeds"];

describe("POST <list>/seeds.json", () => {
  it("adds and removes in one revision", async () => {
    const list = await newList(joe, { name: "foo", seeds: ["OL1W", "subject:love"] });
    const add = ["/works/OL2W", "OL4M", "/subjects/place:france", { key: "/works/OL1W" }, "OL2W"];
    const remove = ["subject:love", "subject:never"];
    expect(await postSeeds(joe, list, { add, remove, other: 1 })).toEqual({
      status: 200,
      body: { key: list, revision: 2 },
    });
    const after = [{ key: "/works/OL1W" }, { key: "/works/OL2W" }, { key: "/books/OL4M" }, "place:france"];
    expect(await seedsOf(list)).toEqual(after);
    expect(await stored(list)).toMatchObject({ name: "foo", revision: 2 });
    expect(await lastChange()).toMatchObject({
      kind: "edit-list-seeds",
      comment: "Updated list.",
      data: {
        list: { key: list },
        add,
        remove,
        seeds: ["/works/OL1W", "/works/OL2W", "/books/OL4M", "place:france"],
      },
      changes: [{ key: list, revision: 2 }],
    });
  });

  it("creates no revision when nothing changes", async () => {
    const list = await newList(joe, { seeds: ["OL1W"] });
    const before = await lastChange();
    for (const body of [{}, { add: ["OL1W"] }, { remove: ["OL2W"] }, { add: ["OL2W"], remove: ["OL2W"] }]) {
      expect(await postSeeds(joe, list, body)).toEqual({ status: 200, body: { key: list, revision: 1 } });
    }
    expect(await lastChange()).toEqual(before);
  });

  it("leaves stored seeds of missing records alone (Q94)", async () => {
    const list = "/people/joe/lists/OL902L";
    expect(await postSeeds(joe, list, { add: ["OL2W"] })).toMatchObject({ status: 200 });
    expect(await postSeeds(joe, list, { add: ["OL99W"] })).toEqual({
      status: 400,
      body: { detail: "Seed not found: /works/OL99W" },
    });
    expect(await postSeeds(joe, list, { remove: ["/lists/OL5L", "OL88W"] })).toMatchObject({ status: 200 });
    expect(await seedsOf(list)).toEqual([{ key: "/works/OL1W" }, { key: "/works/OL2W" }]);
  });

  it.each([
    ["[]", "dict_type", ["body"]],
    ['{"add":null}', "list_type", ["body", "add"]],
    ['{"remove":"OL1W"}', "list_type", ["body", "remove"]],
    ["{", "json_invalid", ["body", expect.any(Number)]],
    ["", "missing", ["body"]],
  ])("body %s: 422 %s", async (body, type, loc) => {
    const answer = await postSeeds(joe, "/lists/OL900L", body);
    expect(answer.status).toBe(422);
    expect(Object(answer.body)["detail"]).toMatchObject([{ type, loc }]);
  });

  it("answers 404 before 403, and 401 and 422 before both", async () => {
    const list = await newList(joe);
    const missing = { status: 404, body: { detail: "List or Series not found" } };
    const denied = { status: 403, body: { detail: "Permission denied." } };
    expect(await postSeeds(service, list, { add: [] })).toMatchObject({ status: 401 });
    for (const path of ["/lists/OL77L", "/lists/OL901L", "/series/OL77L", "/people/joe/series/OL1L"]) {
      expect(await postSeeds(ann, path, {})).toEqual(missing);
    }
    expect(await postSeeds(ann, list, { add: ["foo"] })).toEqual(denied);
    expect(await postSeeds(ann, "/people/ann/lists/x", {})).toMatchObject({
      status: 422,
      body: { detail: [{ type: "string_pattern_mismatch", loc: ["path", "olid"] }] },
    });
    expect(await postSeeds(admin, list, { add: ["OL1W"] })).toMatchObject({ status: 200 });
    const reader = await loggedIn(service, "reader", { groups: ["read-only"] });
    expect(await postSeeds(reader, "/lists/OL900L", {})).toEqual(denied);
  });

  it("lets every patron change community lists", async () => {
    expect(await postSeeds(ann, "/lists/OL900L", { add: ["OL5A"] })).toMatchObject({ status: 200 });
    expect(await seedsOf("/lists/OL900L")).toContainEqual({ key: "/authors/OL5A" });
  });

  it("stops at the limit of seeds, and still replaces", async () => {
    const seeds = Array.from({ length: LIST_SEEDS_MAX }, (_one, n) => `subject:s${n}`);
    const list = await newList(joe, { seeds });
    expect(await seedsOf(list)).toHaveLength(LIST_SEEDS_MAX);
    expect(await postSeeds(joe, list, { add: ["OL1W"] })).toEqual({
      status: 400,
      body: { detail: `A list can have at most ${LIST_SEEDS_MAX} seeds` },
    });
    expect(await postSeeds(joe, list, { add: ["OL1W"], remove: ["subject:s1"] })).toMatchObject({
      status: 200,
    });
    // Q256: the change does not repeat the whole list.
    expect(Object(await lastChange())["data"]).toEqual({
      list: { key: list },
      add: ["OL1W"],
      remove: ["subject:s1"],
    });
  });

  it("accepts a form without the suffix and redirects back", async () => {
    const list = await newList(joe, { seeds: ["OL1W"] });
    const headers = { ...HTML, Referer: `http://carrel.test${list}/unnamed` };
    const response = await post(
      joe,
      `${list}/seeds`,
      { add: "OL2W, subject:x", remove: "/works/OL1W" },
      headers,
    );
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`${list}/unnamed`);
    expect(await seedsOf(list)).toEqual([{ key: "/works/OL2W" }, "subject:x"]);
    const json = { "Content-Type": "application/json" };
    expect(await send(joe, ["POST", `${list}/seeds`], { remove: ["OL2W"] }, json)).toEqual({
      status: 200,
      body: { key: list, revision: 3 },
    });
    expect(await send(joe, ["POST", `${list}/seeds`], { remove: null }, json)).toMatchObject({ status: 422 });
  });
});

describe("concurrent changes of a list", () => {
  it("keep all of 20 seeds, each in its own revision", async () => {
    const SEEDS = 20;
    const list = await newList(joe, { name: "Many" });
    const answers = await Promise.all(
      Array.from({ length: SEEDS }, (_one, n) =>
        postSeeds(n % 2 === 0 ? joe : admin, list, { add: [`subject:s${n}`] }),
      ),
    );
    const revisions = answers.map(({ body }) => Number(Object(body)["revision"]));
    expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: SEEDS }, (_one, n) => n + 2));
    const seeds = new Set((await seedsOf(list)) as string[]);
    expect(seeds).toEqual(new Set(Array.from({ length: SEEDS }, (_one, n) => `subject:s${n}`)));
  });

  it("lose no seed to a form that replaces the list", async () => {
    const list = await newList(joe, { name: "Old", seeds: ["OL1W"] });
    const json = { "Content-Type": "application/json" };
    const [replaced, ...added] = await Promise.all([
      send(joe, ["POST", `${list}/edit`], { name: "New", seeds: ["OL1W"], revision: 1 }, json),
      ...Array.from({ length: 5 }, (_one, n) => postSeeds(joe, list, { add: [`subject:s${n}`] })),
    ]);
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // Either it came first, and all seeds followed, or it was told that the list is another one by now.
    expect([200, 409]).toContain(replaced.status);
    expect(new Set((await seedsOf(list)) as unknown[]).size).toBe(6);
  });

  it("leave a deleted list deleted", async () => {
    const list = await newList(joe, { seeds: ["OL1W"] });
    const [gone, ...added] = await Promise.all([
      joe.fetch(`${list}/delete.json`, { method: "POST" }),
      ...Array.from({ length: 5 }, (_one, n) => postSeeds(joe, list, { add: [`subject:s${n}`] })),
    ]);
    expect(gone.status).toBe(200);
    for (const { status } of added) expect([200, 404]).toContain(status);
    const row = await env.CATALOG.prepare("SELECT type FROM record WHERE key = ?").bind(list).first("type");
    expect(row).toBe("/type/delete");
  });
});

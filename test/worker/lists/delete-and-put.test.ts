import { beforeAll, describe, expect, it } from "vitest";
import { stored } from "../../support/worker/desk.ts";
import { newList } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Who, HTML, leads, looking, put, send } from "../../support/worker/writing.ts";

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const service = testService();
const { lastChange } = looking(service);
let joe: LoggedIn;
let jo: LoggedIn;
let admin: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  jo = await loggedIn(service, "jo");
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  await service.load(
    work(1),
    { key: "/lists/OL900L", type: "/type/list", name: "Ours" },
    { key: "/series/OL901L", type: "/type/series", name: "Dune" },
  );
});

const remove = (who: Who, list: string) => send(who, ["POST", `${list}/delete.json`], "");
const denied = { status: 403, body: { detail: "Permission denied." } };
const missing = { status: 404, body: { detail: "Not found." } };

describe("POST <list>/delete.json", () => {
  it("leaves a tombstone and the history", async () => {
    const list = await newList(joe, { name: "Mine", seeds: ["OL1W"] });
    expect(await remove(joe, list)).toEqual({ status: 200, body: { status: "ok" } });
    const after = await stored(list);
    expect(after).toMatchObject({ key: list, type: { key: "/type/delete" }, revision: 2 });
    expect(after).not.toHaveProperty("seeds");
    expect(await lastChange()).toMatchObject({
      kind: "delete-list",
      comment: "Deleted list.",
      author: { key: "/people/joe" },
    });
    expect(await service.json(`${list}.json?v=1&m=history`)).toHaveLength(2);
    expect(await remove(joe, list)).toEqual(missing);
  });

  // Q253
  it("is reverted by super-librarians only", async () => {
    const list = await newList(joe, { name: "Mine", seeds: ["OL1W"] });
    await remove(joe, list);
    const revert = (who: Who) => send(who, ["POST", `${list}.json?m=revert`], "v=1", FORM);
    const librarian = await loggedIn(service, "lib", { groups: ["librarians"] });
    for (const who of [joe, librarian]) expect(await revert(who)).toMatchObject({ status: 403 });
    const reader = await loggedIn(service, "sleepy", { groups: ["super-librarians", "read-only"] });
    expect(await revert(reader)).toMatchObject({ status: 403 });
    const chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
    expect(await revert(chief)).toEqual({ status: 200, body: { key: list, revision: 3 } });
    expect(await stored(list)).toMatchObject({ name: "Mine", seeds: [{ key: "/works/OL1W" }] });
    expect(await lastChange()).toMatchObject({ kind: "revert-version", author: { key: "/people/chief" } });
  });

  it("restores nothing below /people or /usergroup with the list", async () => {
    const list = await newList(joe, { name: "Mine", seeds: ["OL1W"] });
    const gone = ["/people/gone", "/usergroup/gone"];
    for (const [revision, type] of [
      [1, "/type/user"],
      [2, "/type/delete"],
    ] as const) {
      await service.loadUnindexed(...gone.map((key) => ({ key, type, revision })));
    }
    const own = { key: list, type: "/type/list", name: "Mine", seeds: [] };
    await service.loadUnindexed({ ...own, revision: 2, keepers: gone.map((key) => ({ key })) });
    await service.loadUnindexed({ ...own, revision: 3 });
    const chief = await loggedIn(service, "reviver", { groups: ["super-librarians"] });
    const answer = await send(chief, ["POST", `${list}.json?m=revert`], "v=2", FORM);
    expect(answer).toMatchObject({ status: 200, body: { key: list, revision: 4 } });
    for (const key of gone) expect(await stored(key)).toMatchObject({ type: { key: "/type/delete" } });
  });

  it("refuses everyone but the owner and administrators, without revealing lists", async () => {
    const list = await newList(joe);
    expect(await remove(service, list)).toMatchObject({ status: 401 });
    for (const path of [list, "/people/joe/lists/OL77L", "/lists/OL900L", "/lists/OL77L"]) {
      expect(await remove(jo, path)).toEqual(denied);
    }
    expect(await remove(joe, "/people/joe/lists/OL77L")).toEqual(missing);
    expect(await remove(joe, "/people/joe/lists/x")).toMatchObject({ status: 422 });
    const reader = await loggedIn(service, "reader", { groups: ["read-only"] });
    expect(await remove(reader, "/people/reader/lists/OL77L")).toEqual(denied);
    expect(await remove(admin, "/lists/OL77L")).toEqual(missing);
    expect(await remove(admin, list)).toMatchObject({ status: 200 });
    expect(await remove(admin, "/lists/OL900L")).toMatchObject({ status: 200 });
    expect(await lastChange()).toMatchObject({ kind: "delete-list", author: { key: "/people/boss" } });
  });

  it("redirects people to the remaining lists", async () => {
    const list = await newList(joe);
    expect(await leads(joe.fetch(`${list}/delete`, { method: "POST", headers: HTML }))).toBe(
      "303 /people/joe/lists",
    );
    expect(await stored(list)).toMatchObject({ type: { key: "/type/delete" } });
  });
});

describe("PUT /people/<username>/lists/OL1L.json (Q260)", () => {
  it("saves the owner's list with the revision that was read", async () => {
    const list = await newList(joe, { name: "Mine", tags: ["a"], seeds: ["OL1W"] });
    const record = {
      ...(await stored(list)),
      name: "Other",
      seeds: ["OL1W", "/subjects/love"],
      _comment: "so",
    };
    expect(await put(joe, `${list}.json`, record)).toEqual({ status: 200, body: { key: list, revision: 2 } });
    expect(await stored(list)).toMatchObject({
      name: "Other",
      tags: ["a"],
      seeds: [{ key: "/works/OL1W" }, "subject:love"],
    });
    expect(await lastChange()).toMatchObject({ kind: "edit-list", comment: "so" });
    expect(await put(joe, `${list}.json`, record)).toMatchObject({ status: 409 });
    expect(await put(joe, `${list}.json`, { name: "Third" }, { "If-Match": '"2"' })).toMatchObject({
      body: { revision: 3 },
    });
    expect(await put(joe, `${list}.json`, { name: "Third", revision: 3 })).toMatchObject({
      body: { revision: 3 },
    });
  });

  it("refuses other types, invalid lists and other patrons", async () => {
    const list = await newList(joe, { name: "Mine" });
    const record = { name: "x", revision: 1 };
    expect(await put(service, `${list}.json`, record)).toMatchObject({ status: 401 });
    expect(await put(jo, `${list}.json`, record)).toEqual(denied);
    expect(await put(joe, "/people/joe/lists/OL77L.json", record)).toMatchObject({ status: 404 });
    expect(await put(joe, `${list}.json`, { name: "x" })).toMatchObject({ status: 400 });
    const type = { key: "/type/delete" };
    expect(await put(joe, `${list}.json`, { ...record, type })).toMatchObject({ status: 400 });
    expect(await put(joe, `${list}.json`, { ...record, seeds: ["foo"] })).toEqual({
      status: 400,
      body: { detail: "Invalid seed" },
    });
    expect(await put(joe, `${list}.json`, { ...record, name: "x".repeat(256) })).toMatchObject({
      status: 400,
    });
    expect(await stored(list)).toMatchObject({ name: "Mine", revision: 1 });
  });

  it("is the record API for administrators", async () => {
    const list = await newList(joe, { name: "Mine" });
    expect(await put(admin, `${list}.json`, { type: { key: "/type/delete" } })).toEqual({
      status: 200,
      body: { key: list, revision: 2 },
    });
  });
});

import { missingRecordFailure } from "../../../src/catalog/editing/failure.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { editRecords } from "../../../src/worker/editing/edit-records.ts";
import { writeError } from "../../../src/worker/editing/edit-desk.ts";
import { saveChange } from "../../../src/worker/editing/save-change.ts";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { Failure } from "../../../src/worker/http/failure.ts";
import { IsolateCache } from "../../../src/worker/http/isolate-cache.ts";
import { newTrace } from "../../../src/worker/http/metrics.ts";
import { DEFAULT_SITE } from "../../../src/worker/http/pages/reader.ts";
import type { Actor, RequestContext } from "../../../src/worker/http/operation.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import {
  NOW,
  create,
  emptyCatalog,
  query,
  refusals,
  save,
  saved,
  stored,
  user,
} from "../../support/worker/desk.ts";
import { author, authorKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

const typed = (type: string) => ({ key: `/type/${type}` });
const keys = (...list: string[]) => list.map((key) => ({ key }));
const group = (name: string, ...members: string[]) => ({
  key: `/usergroup/${name}`,
  type: typed("usergroup"),
  members: keys(...members),
});
const permission = (key: string, ...writers: string[]) => ({
  key,
  type: typed("permission"),
  writers: keys(...writers),
});
const workDocument = (id: number, more: object = {}) => ({
  key: workKey(id),
  type: typed("work"),
  title: "Changed",
  ...more,
});

/** Users, groups and permissions as the development set has them. */
async function community(): Promise<void> {
  const people = ["ann", "jane", "boss", "reader"].map((name) => ({
    key: `/people/${name}`,
    type: "/type/user",
  }));
  await service.load(work(1), author(1), author(2), ...people);
  await saved([
    group("admin", "/people/boss"),
    group("librarians", "/people/jane"),
    permission("/permission/restricted", "/usergroup/admin"),
    permission("/permission/librarians", "/usergroup/librarians"),
  ]);
}

const DENIED = (key: string): string => `403 Permission denied to modify '${key}'`;

describe("stored permissions", () => {
  beforeEach(community);

  it("are read from the record, then from the folders above it", async () => {
    const restrict = { permission: { key: "/permission/restricted" } };
    await saved([workDocument(1, restrict)]);
    expect(refusals(await save([workDocument(1)], { writer: user("ann") }))).toEqual([DENIED(workKey(1))]);
    const folder = {
      key: "/authors",
      type: typed("page"),
      title: "Authors",
      child_permission: keys("/permission/librarians")[0],
    };
    await saved([folder]);
    const authorDocument = { key: authorKey(1), type: typed("author"), name: "New" };
    expect(refusals(await save([authorDocument], { writer: user("ann") }))).toEqual([DENIED(authorKey(1))]);
    expect((await save([authorDocument], { writer: user("jane") })).ok).toBe(true);
    // All that is denied is told, and nothing of the change is stored.
    const both = await save([workDocument(1), authorDocument, workDocument(2)], { writer: user("ann") });
    expect(refusals(both)).toEqual([DENIED(workKey(1)), DENIED(authorKey(1))]);
  });

  it("apply as soon as they change", async () => {
    await saved([group("read-only", "/people/reader", "/people/ann")]);
    expect(refusals(await save([workDocument(1)], { writer: user("ann") }))).toEqual([DENIED(workKey(1))]);
    await saved([{ key: "/usergroup/read-only", type: typed("delete") }]);
    expect((await save([workDocument(1)], { writer: user("ann") })).ok).toBe(true);
  });

  it("let no anonymous user write, not even open records", async () => {
    const writer = { author: null, bot: false, ip: null, authority: "user" } as const;
    expect(refusals(await save([workDocument(1)], { writer }))).toEqual(["403 Permission Denied."]);
    expect(refusals(await create([{ type: typed("work"), title: "x" }], { writer }))).toEqual([
      "403 Permission Denied.",
    ]);
  });

  it("raise the sequence when a key is chosen", async () => {
    await saved([workDocument(500)], { writer: user("ann", { bot: true }) });
    expect(await create([{ type: typed("work"), title: "x" }], { writer: user("ann") })).toMatchObject({
      keys: [workKey(501)],
    });
  });

  it("keep mistyped numbers out of the sequence", async () => {
    const mistyped = workDocument(1_099_511_627_776);
    expect((await save([mistyped], { writer: user("ann", { bot: true }) })).ok).toBe(false);
    expect((await save([mistyped], { writer: user("boss") })).ok).toBe(true);
    expect(await create([{ type: typed("work"), title: "x" }], { writer: user("ann") })).toMatchObject({
      keys: [workKey(2)],
    });
  });
});

const ANN: Actor = {
  key: "/people/ann",
  username: "ann",
  status: "active",
  bot: true,
  groups: new Set(),
  email: null,
};

/** The context of a request; `waited` collects what goes on after the response. */
function contextOf(actor: Actor, waited: Promise<unknown>[] = []): RequestContext {
  const request = new Request("https://carrel.test/api/new", { method: "POST" });
  return {
    sources: { ...systemSources, now: () => Date.parse(`${NOW}Z`) },
    now: Date.parse(`${NOW}Z`),
    settings: settingsOf(env),
    stores: storesOf(env),
    request,
    url: new URL(request.url),
    requestId: "1",
    site: async () => DEFAULT_SITE,
    client: "203.0.113.9",
    headers: {},
    bookmark: undefined,
    bearer: undefined,
    cache: new IsolateCache(),
    cookies: [],
    trace: newTrace(),
    session: () => Promise.resolve(undefined),
    claim: () => Promise.resolve(undefined),
    token: () => undefined,
    dropSession: () => {},
    actor: () => Promise.resolve(actor),
    accessState: () => Promise.resolve({ service: undefined, groups: [] }),
    routes: [],
    waitUntil: (promise) => void waited.push(promise),
    answer: () => new Response(null, { status: 404 }),
  };
}

describe("saveChange", () => {
  const change = { kind: "update", comment: "c" };

  it("saves as the session's user, sets a bookmark, evicts cache entries and announces the change", async () => {
    await service.load(author(1), work(1, { authors: [1] }));
    const waited: Promise<unknown>[] = [];
    const context = contextOf(ANN, waited);
    const result = await saveChange(context, { ...change, documents: [workDocument(1)], data: { a: 1 } });
    expect(result).toEqual({ change: 2, saved: [{ key: workKey(1), revision: 2 }], keys: [workKey(1)] });
    expect(await query("SELECT author, bot, ip, data, comment FROM change WHERE id = 2")).toEqual([
      { author: "/people/ann", bot: 1, ip: "203.0.113.9", data: '{"a":1}', comment: "c" },
    ]);
    const bookmark = context.headers["X-Carrel-Bookmark"];
    expect(bookmark).toMatch(/^[\w-]+$/);
    expect(context.cookies).toEqual([
      `carrel_bookmark=${bookmark}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
    ]);
    expect(context.cache.isOutdated([authorKey(1)], context.now)).toBe(true);
    expect(waited.length).toBeGreaterThan(0);
    await Promise.all(waited);
  });

  it("announces nothing without a change", async () => {
    await service.load(work(1));
    const waited: Promise<unknown>[] = [];
    const documents = [workDocument(1, { title: "Work 1" })];
    expect(await saveChange(contextOf(ANN, waited), { ...change, documents })).toMatchObject({
      change: null,
    });
    expect(waited).toEqual([]);
  });

  it.each(["anonymous", "pending", "blocked"] as const)("refuses users who are %s", async (status) => {
    const actor = { ...ANN, status, key: status === "anonymous" ? null : ANN.key };
    await expect(saveChange(contextOf(actor), { ...change, documents: [] })).rejects.toMatchObject({
      status: 403,
      body: { error: "permission_denied", message: "Permission Denied." },
    });
  });

  it("saves changes of the service without a user", async () => {
    const anonymous: Actor = { ...ANN, key: null, status: "anonymous" };
    const documents = [{ key: "/people/new", type: typed("user"), displayname: "New" }];
    const request = { ...change, documents, authority: "service", author: "/people/new" } as const;
    expect(await saveChange(contextOf(anonymous), request)).toMatchObject({ keys: ["/people/new"] });
    expect(await query("SELECT author, bot FROM change")).toEqual([{ author: "/people/new", bot: 0 }]);
  });

  it("editRecords edits the stored records, again after a conflict", async () => {
    await service.load(work(1, { title: "0" }));
    const increase = () =>
      editRecords(contextOf(ANN), [workKey(1), workKey(2)], (records) => {
        expect([...records.keys()]).toEqual([workKey(1)]);
        const before = records.get(workKey(1))!;
        return { ...change, documents: [{ ...before, title: String(Number(before["title"]) + 1) }] };
      });
    await Promise.all([increase(), increase(), increase(), increase()]);
    expect(await stored(workKey(1))).toMatchObject({ title: "4", revision: 5 });
    expect(await editRecords(contextOf(ANN), [workKey(1)], () => undefined)).toMatchObject({ change: null });
    const stale = { ...change, documents: [workDocument(1)], expected: { [workKey(1)]: 1 } };
    await expect(editRecords(contextOf(ANN), [workKey(1)], () => stale)).rejects.toMatchObject({
      status: 409,
      body: { error: "conflict", key: workKey(1), message: "Document update conflict" },
    });
  });
});

describe("writeError", () => {
  const missing = missingRecordFailure("/works/OL9W", { key: "/works/OL1W" });
  const busy = { status: 503, error: "busy", text: { key: "unavailable.changes" } } as const;

  it("is the first failure, with a list of all if there are several", () => {
    expect(writeError([missing]).body).toEqual({
      error: "notfound",
      message: "Not in the catalog: /works/OL9W",
      key: "/works/OL9W",
      at: { key: "/works/OL1W" },
    });
    const several = writeError([missing, busy]);
    expect(several).toBeInstanceOf(Failure);
    expect(several.status).toBe(404);
    expect(several.body).toMatchObject({
      error: "notfound",
      errors: [{ key: "/works/OL9W" }, { error: "busy" }],
    });
    expect(writeError([busy]).headers).toEqual({ "Retry-After": "2" });
  });
});

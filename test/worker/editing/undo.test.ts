import { beforeAll, describe, expect, it } from "vitest";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { saved, stored, user } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { list } from "../../support/worker/lists.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let chief: LoggedIn;
let librarian: LoggedIn;
let admin: LoggedIn;
let next = 2000;
const number = (): number => (next += 10);

beforeAll(async () => {
  chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
});

const type = (name: string) => ({ key: `/type/${name}` });
const ann = { writer: user("ann"), comment: "by Ann" };
const undo = (
  change: number | null,
  who: Pick<LoggedIn, "fetch"> = chief,
  suffix = ".json",
): Promise<Response> => who.fetch(`/recentchanges/2026/11/21/update/${change}${suffix}`, { method: "POST" });
const edit = async (key: string, members: Record<string, unknown>): Promise<number | null> =>
  (await saved([{ ...(await stored(key)), ...members }], ann)).change;
const reason = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(400);
  return response.json();
};
const newest = async (): Promise<Record<string, unknown>> =>
  ((await service.json("/recentchanges.json?limit=1")) as Record<string, unknown>[])[0]!;
const merge = async (master: number, duplicate: number): Promise<number> => {
  const response = await librarian.fetch("/authors/merge.json", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ master: authorKey(master), duplicates: [authorKey(duplicate)] }),
  });
  expect(response.status).toBe(200);
  return Number((await newest())["id"]);
};

describe("POST /recentchanges/…/{change}", () => {
  it("restores the credits of merged authors, which differ in their roles", async () => {
    const [target, merged, id] = [number(), number(), number()];
    const role = (of: number, members: object = {}) => ({
      type: type("author_role"),
      author: { key: authorKey(of) },
      ...members,
    });
    const credits = [role(merged, { role: "Illustrator" }), role(target)];
    await service.load(author(target), author(merged), { ...work(id), authors: credits });
    const change = await merge(target, merged);
    const joined = [role(target, { role: "Illustrator" }), role(target)];
    expect(await stored(workKey(id))).toMatchObject({ authors: joined });
    expect((await undo(change)).status).toBe(200);
    expect(await stored(workKey(id))).toMatchObject({ authors: credits });
  });

  it("undoes an edit once", async () => {
    const id = number();
    await service.load(work(id, { title: "Old", subjects: ["x"] }));
    const change = await edit(workKey(id), { title: "New", subjects: [] });
    const response = await undo(change);
    expect([response.status, await response.json()]).toEqual([200, [{ key: workKey(id), revision: 3 }]]);
    expect(await stored(workKey(id))).toMatchObject({ title: "Old", subjects: ["x"], revision: 3 });
    expect(await newest()).toMatchObject({
      kind: "undo",
      comment: "undo by Ann",
      author: { key: chief.key },
      data: { parent_changeset: String(change) },
    });
    const own = Number((await newest())["id"]);
    expect(await reason(await undo(change))).toEqual({
      error: "bad_data",
      message: `Already undone by change ${own}.`,
      change: String(own),
    });
    // An undo is a change like any other.
    expect((await undo(own)).status).toBe(200);
    expect(await stored(workKey(id))).toMatchObject({ title: "New", revision: 4 });
    expect((await undo(change)).status).toBe(400);
  });

  it.each(["undo", "revert"])("never lists a merged record again by %s", async (way) => {
    const [target, merged, id] = [number(), number(), number()];
    const key = `/lists/OL${id}L`;
    await service.load(author(target), author(merged), list(key, [{ key: authorKey(merged) }]));
    const change = await edit(key, { seeds: [] });
    await merge(target, merged);
    const form = new URLSearchParams({ v: "1" });
    const response = await (way === "undo"
      ? undo(change)
      : chief.fetch(`${key}.json?m=revert`, { method: "POST", body: form }));
    expect(response.status).toBe(200);
    expect(await stored(key)).toMatchObject({ revision: 3, seeds: [{ key: authorKey(target) }] });
  });

  it("undoes a merge", async () => {
    const [a, b] = [number(), number()];
    await service.load(
      author(a, { name: "A" }),
      author(b, { name: "B", photos: [3] }),
      work(a, { authors: [b] }),
      edition(a, { authors: [{ key: authorKey(b) }] }),
    );
    const change = await merge(a, b);
    const response = await undo(change, chief, "");
    expect([response.status, response.headers.get("Location")]).toEqual([
      303,
      `/recentchanges/2026/11/21/merge-authors/${change}`,
    ]);
    expect(await stored(authorKey(b))).toMatchObject({
      type: type("author"),
      name: "B",
      photos: [3],
      revision: 3,
    });
    expect(await stored(authorKey(a))).not.toHaveProperty("alternate_names");
    expect(await stored(workKey(a))).toMatchObject({ authors: [{ author: { key: authorKey(b) } }] });
    expect(await stored(editionKey(a))).toMatchObject({ authors: [{ key: authorKey(b) }] });
    expect(await newest()).toMatchObject({ comment: "undo merge authors" });
  });

  it("refuses a change whose records were edited since, with their keys", async () => {
    const [a, b] = [number(), number()];
    await service.load(author(a), author(b), work(a, { authors: [b] }));
    const change = await merge(a, b);
    await edit(workKey(a), { title: "Better" });
    expect(await reason(await undo(change))).toEqual({
      error: "conflict",
      message: `Can’t undo: edited since (${workKey(a)}).`,
      keys: [workKey(a)],
    });
    expect(await stored(authorKey(b))).toMatchObject({ type: type("redirect") });
  });

  it("deletes created records, also for users who may not delete", async () => {
    const id = number();
    const { change } = await saved([{ key: workKey(id), type: type("work"), title: "New" }]);
    expect((await undo(change)).status).toBe(200);
    expect(await stored(workKey(id))).toMatchObject({ type: type("delete"), revision: 2 });
  });

  it("needs permission to modify the records", async () => {
    const made = await saved([
      { key: "/usergroup/secret", type: type("usergroup"), members: [{ key: chief.key }] },
    ]);
    expect((await undo(made.change)).status).toBe(403);
    const emptied = await saved([{ key: "/usergroup/secret", type: type("usergroup") }]);
    const refused = await undo(emptied.change);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: "permission_denied" }]);
    expect((await undo(emptied.change, admin)).status).toBe(200);
  });

  it("refuses loads", async () => {
    const { changes } = await service.load(work(number()));
    expect(await reason(await undo(changes[0]!))).toMatchObject({
      message: "Loaded data dumps can’t be undone.",
    });
  });

  it("answers 404 for an unknown change", async () => {
    expect((await undo(999_999)).status).toBe(404);
    expect((await chief.fetch("/recentchanges/2026/11/21/update/x.json", { method: "POST" })).status).toBe(
      404,
    );
  });

  it("performs one of several concurrent undos", async () => {
    const id = number();
    await service.load(work(id, { title: "Old" }));
    const change = await edit(workKey(id), { title: "New" });
    const answers = await Promise.all([undo(change), undo(change), undo(change)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await stored(workKey(id))).toMatchObject({ title: "Old", revision: 3 });
  });
});

describe("POST <key>?m=revert", () => {
  const revert = (
    path: string,
    body: Record<string, unknown>,
    who: Pick<LoggedIn, "fetch"> = chief,
  ): Promise<Response> =>
    who.fetch(`${path}?m=revert`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });

  it("saves an old revision again", async () => {
    const id = number();
    await service.load(work(id, { title: "Old" }));
    await edit(workKey(id), { title: "New" });
    const response = await revert(`${workKey(id)}.json`, { v: 1 });
    expect([response.status, await response.json()]).toEqual([200, { key: workKey(id), revision: 3 }]);
    expect(await stored(workKey(id))).toMatchObject({ title: "Old" });
    expect(await newest()).toMatchObject({ kind: "revert-version", comment: "reverted to revision 1" });
    expect(await (await revert(`${workKey(id)}.json`, { v: 3 })).json()).toEqual({});
    const form = new URLSearchParams({ v: "2", _comment: "as it was" });
    const page = await chief.fetch(`${workKey(id)}/New?m=revert`, { method: "POST", body: form });
    expect([page.status, page.headers.get("Location")]).toEqual([303, workKey(id)]);
    expect(await newest()).toMatchObject({ comment: "as it was" });
    expect(await stored(workKey(id))).toMatchObject({ title: "New", revision: 4 });
  });

  it("revives a deleted record and the records it names", async () => {
    const [a, b] = [number(), number()];
    await service.load(author(a), author(b, { name: "B" }), work(a, { authors: [b] }), work(b));
    const gone = (key: string) => ({ key, type: type("delete") });
    await saved([gone(workKey(a)), gone(authorKey(b))]);
    await edit(workKey(b), { title: "x" });
    const response = await revert(`${workKey(a)}.json`, { v: 1 });
    expect([response.status, await response.json()]).toEqual([200, { key: workKey(a), revision: 3 }]);
    expect(await stored(authorKey(b))).toMatchObject({ type: type("author"), name: "B", revision: 3 });
    expect(await stored(workKey(a))).toMatchObject({ authors: [{ author: { key: authorKey(b) } }] });
    const changes = [
      { key: authorKey(b), revision: 3 },
      { key: workKey(a), revision: 3 },
    ];
    expect(await newest()).toMatchObject({ changes });
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["/works/OL999999W.json", { v: 1 }, 404],
    ["/works/OL2001W.json", { v: 9 }, 404],
    ["/works/OL2001W.json", { v: 0 }, 404],
    ["/works/OL2001W.json", {}, 422],
    ["/works/OL2001W.json", { v: "x" }, 422],
  ])("answers %s %j with %i", async (path, body, status) => {
    await service.load(work(2001));
    expect((await revert(path, body)).status).toBe(status);
  });

  it("restores a deletion for administrators only", async () => {
    const id = number();
    await service.load(work(id));
    await saved([{ key: workKey(id), type: type("delete") }]);
    await saved([{ key: workKey(id), type: type("work"), title: "Back" }]);
    expect((await revert(`${workKey(id)}.json`, { v: 2 })).status).toBe(403);
    expect((await revert(`${workKey(id)}.json`, { v: 2 }, admin)).status).toBe(200);
  });
});

describe("POST /tags/bulk_tag_works", () => {
  const tag = (fields: Record<string, string>, who: Pick<LoggedIn, "fetch"> = librarian): Promise<Response> =>
    who.fetch("/tags/bulk_tag_works", { method: "POST", body: new URLSearchParams(fields) });

  it("adds and removes subjects of all works in one change", async () => {
    const [a, b] = [number(), number()];
    await service.load(work(a, { subjects: ["x", "old"], subject_people: ["P"] }), work(b));
    const response = await tag({
      work_ids: `OL${a}W, /works/OL${b}W`,
      tags_to_add: JSON.stringify({ subjects: ["new", "x", " "], subject_times: ["1900"] }),
      tags_to_remove: JSON.stringify({ subjects: ["old"], subject_people: ["P"] }),
    });
    expect([response.status, await response.json()]).toEqual([200, { success: "Tagged works successfully" }]);
    expect(await stored(workKey(a))).toMatchObject({ subjects: ["x", "new"], subject_times: ["1900"] });
    expect(await stored(workKey(a))).not.toHaveProperty("subject_people");
    expect(await stored(workKey(b))).toMatchObject({ subjects: ["new", "x"], subject_times: ["1900"] });
    expect(await newest()).toMatchObject({
      kind: "bulk-edit-work-tags",
      comment: "Bulk tagging works",
      changes: [{ key: workKey(a) }, { key: workKey(b) }],
    });
  });

  it.each<[Record<string, string>, number]>([
    [{}, 422],
    [{ work_ids: "" }, 400],
    [{ work_ids: "OL1A" }, 400],
    [{ work_ids: "OL999999W", tags_to_add: '{"subjects":["x"]}' }, 400],
    [{ work_ids: "OL2001W", tags_to_add: "{" }, 400],
    [{ work_ids: "OL2001W", tags_to_add: '{"subjects":"x"}' }, 400],
    [{ work_ids: "OL2001W", tags_to_add: "[]" }, 400],
    [{ work_ids: "OL2001W" }, 200],
  ])("answers %j with %i", async (fields, status) => {
    await service.load(work(2001));
    expect((await tag(fields)).status).toBe(status);
  });
});

it("the catalog is consistent after all tests", async () => {
  const known = /have gaps|names .*999000|OL999000A/;
  expect((await catalogFaults()).filter((fault) => !known.test(fault))).toEqual([]);
});

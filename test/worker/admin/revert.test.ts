import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { readEdited } from "../../../src/db/history/reverts.ts";
import { emptyCatalog, query, saved, stored, user } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, authorKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const spammer = { writer: user("spammer") };
let boss: LoggedIn;

beforeEach(async () => {
  await emptyCatalog();
  await env.CATALOG.exec("DELETE FROM change_data");
  await env.PATRONS.exec("DELETE FROM account");
  [boss] = await Promise.all([
    loggedIn(service, "boss", { groups: ["admin"] }),
    loggedIn(service, "spammer"),
    service.load(work(1), work(2), work(3), author(1)),
  ]);
});

const titled = (id: number, title: string, more: object = {}) => ({
  key: workKey(id),
  type: { key: "/type/work" },
  title,
  ...more,
});

async function write(documents: Record<string, unknown>[], by: object = spammer): Promise<number> {
  const { writer } = { ...spammer, ...by };
  return Number((await saved(documents, { writer: { ...writer, authority: "service" } })).change);
}

interface Report {
  reverted: number;
  deleted: number;
  kept: string[];
  failed: { key: string; message: string }[];
  finished: boolean;
}

async function revertAll(): Promise<Report> {
  const body = new URLSearchParams({ action: "block_account_and_revert" });
  const response = await boss.fetch("/admin/people/spammer", { method: "POST", body });
  expect(response.status).toBe(200);
  return response.json();
}

async function revert(ids: readonly number[], fields: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams(fields);
  for (const id of ids) body.append("changesets[]", String(id));
  return boss.fetch("/admin/people/spammer/edits", { method: "POST", body });
}

async function titleOf(id: number): Promise<unknown> {
  return (await stored(workKey(id)))?.["title"];
}

describe("block_account_and_revert", () => {
  it("reverts all changes of an account", async () => {
    const before = [await titleOf(1), await titleOf(2)];
    await write([titled(1, "Spam"), titled(9, "New spam")]);
    await write([titled(1, "More spam"), titled(2, "Spam")]);
    expect(await revertAll()).toEqual({
      ok: "true",
      reverted: 2,
      deleted: 1,
      kept: [],
      failed: [],
      finished: true,
    });
    expect([await titleOf(1), await titleOf(2)]).toEqual(before);
    expect(await stored(workKey(9))).toMatchObject({ type: { key: "/type/delete" }, revision: 2 });
    expect(await stored(workKey(1))).toMatchObject({ revision: 4 });
    expect(await query("SELECT kind, author, comment, data FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      {
        kind: "bulk-revert-spam",
        author: "/people/boss",
        comment: "Delete spam",
        data: '{"reverted_author":"/people/spammer"}',
      },
    ]);
    const account = await env.PATRONS.prepare(
      "SELECT status FROM account WHERE username = 'spammer'",
    ).first();
    expect(account).toEqual({ status: "blocked" });
  });

  it("does nothing more when it is repeated", async () => {
    await write([titled(1, "Spam"), titled(9, "New spam")]);
    await revertAll();
    const changes = await query("SELECT count(*) AS n FROM change");
    expect(await revertAll()).toMatchObject({
      reverted: 0,
      deleted: 0,
      kept: [],
      failed: [],
      finished: true,
    });
    expect(await query("SELECT count(*) AS n FROM change")).toEqual(changes);
  });

  it("keeps and reports records that another user has edited since", async () => {
    await write([titled(1, "Spam"), titled(2, "Spam")]);
    await write([titled(1, "Mended")], { writer: user("boss") });
    expect(await revertAll()).toMatchObject({ reverted: 1, kept: [workKey(1)], finished: true });
    expect(await titleOf(1)).toBe("Mended");
  });

  it("restores another user's later revision", async () => {
    await write([titled(1, "Spam")]);
    await write([titled(1, "Mended")], { writer: user("boss") });
    await write([titled(1, "Spam again")]);
    expect(await revertAll()).toMatchObject({ reverted: 1, kept: [], finished: true });
    expect(await titleOf(1)).toBe("Mended");
  });

  it("deletes authors together with the works that name them", async () => {
    const authors = [{ author: { key: authorKey(9) }, type: { key: "/type/author_role" } }];
    await write([
      { key: authorKey(9), type: { key: "/type/author" }, name: "Spammer" },
      titled(8, "By him", { authors }),
    ]);
    expect(await revertAll()).toMatchObject({ deleted: 2, failed: [], finished: true });
  });

  it("reports records that cannot be restored, and reverts the rest", async () => {
    await write([{ key: authorKey(9), type: { key: "/type/author" }, name: "New" }, titled(2, "Spam")]);
    const authors = [{ author: { key: authorKey(9) }, type: { key: "/type/author_role" } }];
    await write([titled(3, "Somebody's", { authors })], { writer: user("boss") });
    const report = await revertAll();
    expect(report).toMatchObject({ reverted: 1, deleted: 0, finished: true });
    expect(report.failed).toEqual([{ key: authorKey(9), message: expect.stringContaining("referenced") }]);
    expect(await stored(authorKey(9))).toMatchObject({ type: { key: "/type/author" } });
  });

  it("keeps the account's own records", async () => {
    await saved([{ key: "/people/spammer", type: { key: "/type/user" }, displayname: "s" }], {
      writer: { ...user("spammer"), authority: "service" },
      kind: "new-account",
    });
    expect(await revertAll()).toMatchObject({ reverted: 0, deleted: 0, finished: true });
  });

  it("splits many records into several changes", async () => {
    await write(Array.from({ length: 120 }, (_none, index) => titled(100 + index, "Spam")));
    expect(await revertAll()).toMatchObject({ deleted: 120, failed: [], finished: true });
    expect(await query("SELECT count(*) AS n FROM change WHERE kind = 'bulk-revert-spam'")).toEqual([
      { n: 3 },
    ]);
    expect(await readEdited(env.CATALOG, { author: "/people/spammer" }, { after: 0, limit: 10 })).toEqual([]);
  });
});

describe("POST /admin/people/{username}/edits", () => {
  it("reverts changes by their ids", async () => {
    const first = await write([titled(1, "Spam"), titled(2, "Fine")]);
    const second = await write([titled(1, "More spam"), titled(9, "New")]);
    const third = await write([titled(2, "Finer")]);
    const answer = await revert([first, second], { comment: "No, thanks" });
    expect(await answer.json()).toMatchObject({
      reverted: 1,
      deleted: 1,
      kept: [workKey(2)],
      finished: true,
    });
    expect([await titleOf(2), await titleOf(9)]).toEqual(["Finer", undefined]);
    expect(await query("SELECT kind, comment, data FROM change ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "revert", comment: "No, thanks", data: `{"reverted_changesets":["${first}","${second}"]}` },
    ]);
    expect(await (await revert([third])).json()).toMatchObject({ reverted: 1, kept: [] });
    expect(await titleOf(2)).toBe("Fine");
    expect(await (await revert([second])).json()).toMatchObject({ reverted: 0, deleted: 0, kept: [] });
  });

  it("ignores changes of other users", async () => {
    const other = await write([titled(1, "Mine")], { writer: user("boss") });
    expect(await (await revert([other])).json()).toMatchObject({ reverted: 0, deleted: 0, kept: [] });
    expect(await titleOf(1)).toBe("Mine");
  });

  it("refuses missing and invalid ids", async () => {
    expect((await revert([])).status).toBe(400);
    const body = new URLSearchParams({ "changesets[]": "x" });
    expect((await boss.fetch("/admin/people/spammer/edits", { method: "POST", body })).status).toBe(422);
  });

  it("shows a page to choose changes, and one with the result", async () => {
    const id = await write([titled(1, "Spam")]);
    const headers = { Accept: "text/html" };
    const list = await (await boss.fetch("/admin/people/spammer/edits", { headers })).text();
    expect(list).toContain(`value="${id}" aria-label="Revert change ${id}"`);
    const body = new URLSearchParams({ "changesets[]": String(id) });
    const told = await boss.fetch("/admin/people/spammer/edits", { method: "POST", body, headers });
    expect(await told.text()).toContain("<h1>Reverted</h1>");
  });
});

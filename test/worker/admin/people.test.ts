import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/db/accounts/write-secrets.ts";
import { hashPassword } from "../../../src/worker/accounts/password-hash.ts";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const PASSWORD = "a password of some length";
const HTML = { Accept: "text/html" };
const JSON_TYPE = { "Content-Type": "application/json" };
let hash = "";
let boss: LoggedIn;
let jane: LoggedIn;

beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
  await begin();
});

async function begin(): Promise<void> {
  await emptyCatalog();
  await env.PATRONS.exec("DELETE FROM account");
  [boss, jane] = await Promise.all([
    loggedIn(service, "boss", { groups: ["admin"] }),
    loggedIn(service, "Jane"),
    service.load({ key: "/usergroup/everyone", type: "/type/usergroup" }),
  ]);
}

beforeEach(async () => {
  service.now += 1000;
  await env.PATRONS.prepare(
    `UPDATE account SET status = 'active', bot = 0, tags = '[]', email = username || '@example.com',
       email_folded = username_folded || '@example.com', password_hash = ?1`,
  )
    .bind(hash)
    .run();
  const reopen = async ({ username, headers }: LoggedIn): Promise<void> => {
    const patron = env.PATRON.getByName(username.toLowerCase());
    await patron.bar(false);
    await patron.closeSessions();
    const id = /test-session-\d+/.exec(headers.Cookie)?.[0] ?? "";
    await patron.openSession({ id, opened: service.now, expires: 9e12, remembered: false, client: "local" });
  };
  await Promise.all([boss, jane].map(reopen));
});

function form(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}

function act(action: string, fields: Record<string, string> = {}, name = "Jane"): Promise<Response> {
  return boss.fetch(`/admin/people/${name}`, form({ action, ...fields }));
}

function role(who: LoggedIn, name: string, action: "add" | "remove", group: string): Promise<Response> {
  return who.fetch(`/admin/people/${name}/groups`, form({ action, group }));
}

async function account(name = "jane"): Promise<Record<string, unknown> | null> {
  return env.PATRONS.prepare("SELECT * FROM account WHERE username_folded = ?").bind(name).first();
}

async function members(group: string): Promise<string[]> {
  const record = await service.fetch(`/usergroup/${group}.json`);
  const { members: list = [] } = await record.json<{ members?: { key: string }[] }>();
  return list.map(({ key }) => key);
}

function logIn(): Promise<Response> {
  return service.fetch("/account/login", {
    method: "POST",
    body: JSON.stringify({ username: "Jane", password: PASSWORD }),
    headers: JSON_TYPE,
  });
}

describe("/admin/people", () => {
  it("finds accounts by prefixes of usernames and addresses", async () => {
    await loggedIn(service, "janet", { status: "pending" });
    const names = async (asked: string): Promise<string[]> => {
      const { accounts } = (await boss.json(`/admin/people.json?${asked}`)) as {
        accounts: { username: string }[];
      };
      return accounts.map(({ username }) => username);
    };
    expect(await names("username=JAN")).toEqual(["Jane", "janet"]);
    expect(await names("email=janet@")).toEqual(["janet"]);
    expect(await names("")).toEqual(["boss", "Jane", "janet"]);
    expect(await names("after=jane")).toEqual(["janet"]);
    expect(await names("username=nobody")).toEqual([]);
  });

  it("shows an account without secrets", async () => {
    const response = await boss.fetch("/admin/people/jANE.json");
    const text = await response.text();
    expect(text).not.toContain(hash);
    expect(text).not.toContain("scrypt");
    expect(text).not.toContain("test-session");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(JSON.parse(text)).toMatchObject({
      username: "Jane",
      key: "/people/Jane",
      email: "Jane@example.com",
      status: "active",
      bot: false,
      tags: [],
      groups: [],
      edits: 0,
      changes: [],
      sessions: [{ hash: expect.stringMatching(/^[0-9a-f]{8}$/), client: "local", remembered: false }],
    });
  });

  it("shows the account's changes with their network addresses", async () => {
    await loggedIn(service, "Jane", { groups: ["api"] });
    const body = JSON.stringify({ type: { key: "/type/work" }, title: "A work" });
    const headers = { ...JSON_TYPE, "CF-Connecting-IP": "203.0.113.9" };
    expect((await jane.fetch("/api/new.json", { method: "POST", body, headers })).status).toBe(200);
    const person = await boss.json("/admin/people/jane.json");
    expect(person).toMatchObject({ edits: 1, groups: ["api"], changes: [{ ip: "203.0.113.9" }] });
    const changes = await boss.json("/admin/ip/203.0.113.9.json");
    expect(changes).toMatchObject({ page: 1, next: null, changes: [{ author: { key: "/people/Jane" } }] });
    expect(await boss.json("/admin/people/jane/edits.json")).toEqual(changes);
    expect(await boss.json("/admin/ip/203.0.113.8.json")).toMatchObject({ changes: [] });
    expect(await boss.json("/admin.json")).toMatchObject({
      accounts: { pending: 0, active: 3, blocked: 0 },
      merges: { jobs: 0, requests: 0 },
      read_only: { read_only: false },
    });
  });

  it("answers 404 to administrators for unknown paths, and 401 or 403 to others", async () => {
    expect((await service.fetch("/admin/else")).status).toBe(401);
    expect((await jane.fetch("/admin/else")).status).toBe(403);
    const missing = [
      "/admin/people/nobody.json",
      "/admin/people/nobody/edits",
      "/admin/ip/x.json",
      "/admin/stats/2026-11-22",
      "/admin/inspect/store",
      "/admin/else",
    ];
    for (const path of missing) expect([path, (await boss.fetch(path)).status]).toEqual([path, 404]);
    expect((await boss.fetch("/admin/else", { method: "POST" })).status).toBe(404);
  });
});

describe("POST /admin/people/{username}: blocking", () => {
  it("ends sessions at once, and refuses logins", async () => {
    expect((await jane.fetch("/account/sessions.json")).status).toBe(200);
    expect(await (await act("block_account")).json()).toEqual({ ok: "true" });
    expect((await jane.fetch("/account/sessions.json")).status).toBe(401);
    const refused = await logIn();
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: "account_blocked" }]);
    expect(
      await env.PATRON.getByName("jane").openSession({
        id: "x",
        opened: service.now + 1,
        expires: 9e15,
        remembered: false,
        client: "",
      }),
    ).toBe(false);
  });

  it("can be repeated, and be lifted", async () => {
    for (const action of ["block_account", "block_account"]) expect((await act(action)).status).toBe(200);
    expect(await account()).toMatchObject({ status: "blocked" });
    for (const action of ["unblock_account", "unblock_account"]) expect((await act(action)).status).toBe(200);
    expect(await account()).toMatchObject({ status: "active" });
    service.now += 1000;
    expect((await logIn()).status).toBe(200);
  });

  it("bars logins before the account is blocked", async () => {
    await env.PATRON.getByName("jane").bar(true);
    expect((await jane.fetch("/account/sessions.json")).status).toBe(401);
    expect((await logIn()).status).toBe(400);
  });

  it("refuses to block the last administrator", async () => {
    const response = await act("block_account", {}, "boss");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "bad_data", key: "/people/boss" });
    expect((await boss.fetch("/admin.json")).status).toBe(200);
    await loggedIn(service, "deputy", { groups: ["admin"] });
    expect((await act("block_account", {}, "boss")).status).toBe(200);
    expect((await boss.fetch("/admin.json")).status).toBe(401);
  });

  it("leaves an administrator when two block each other", async () => {
    const deputy = await loggedIn(service, "deputy", { groups: ["admin"] });
    const answers = await Promise.all([
      act("block_account", {}, "deputy"),
      deputy.fetch("/admin/people/boss", form({ action: "block_account" })),
    ]);
    for (const { status } of answers) expect([200, 400, 401, 403]).toContain(status);
    const statuses = [await account("boss"), await account("deputy")].map((found) => found?.["status"]);
    expect(statuses).toContain("active");
  });
});

describe("POST /admin/people/{username}: actions", () => {
  it.each([
    ["set_bot_flag", { bot: "true" }, { bot: 1 }],
    ["set_bot_flag", { bot: "false" }, { bot: 0 }],
    [
      "update_email",
      { email: " new@example.com " },
      { email: "new@example.com", email_folded: "new@example.com" },
    ],
    ["add_tag", { tag: "trusted-user" }, { tags: '["trusted-user"]' }],
    ["remove_tag", { tag: "other" }, { tags: "[]" }],
  ])("performs %s with %j", async (action, fields, expected) => {
    const other = await account("boss");
    expect(await (await act(action, fields)).json()).toEqual({ ok: "true" });
    expect(await account()).toMatchObject(expected);
    expect(await account("boss")).toEqual(other);
  });

  it.each([
    ["update_email", { email: "boss@example.com" }, 400],
    ["update_email", { email: "none" }, 400],
    ["update_password", { password: "short" }, 400],
    ["update_password", {}, 400],
    ["set_bot_flag", {}, 400],
    ["set_bot_flag", { bot: "x" }, 422],
    ["add_tag", { tag: " " }, 400],
    ["su", {}, 422],
  ])("refuses %s with %j: %i", async (action, fields, status) => {
    const before = await account();
    expect((await act(action, { ...fields })).status).toBe(status);
    expect(await account()).toEqual(before);
  });

  it("take JSON too", async () => {
    const body = JSON.stringify({ action: "set_bot_flag", bot: true });
    const response = await boss.fetch("/admin/people/jane", { method: "POST", body, headers: JSON_TYPE });
    expect([response.status, (await account())?.["bot"]]).toEqual([200, 1]);
  });

  it("add and remove tags, also many at a time", async () => {
    await Promise.all(["a", "b", "c", "a"].map((tag) => act("add_tag", { tag })));
    expect(JSON.parse(String((await account())?.["tags"])).sort()).toEqual(["a", "b", "c"]);
    await act("remove_tag", { tag: "b" });
    expect(await boss.json("/admin/people/jane.json")).toMatchObject({
      tags: expect.not.arrayContaining(["b"]),
    });
  });

  it("end all sessions and keys with a new password", async () => {
    const keys = { access: "jane-access", secret: "jane-secret" };
    await createApiKey(env.PATRONS, { ...keys, username: "jane", created: "2026-11-21T12:00:00.000000" });
    const response = await act("update_password", { password: PASSWORD });
    expect(await response.json()).toEqual({ ok: "true" });
    const byKeys = { method: "POST", headers: JSON_TYPE, body: JSON.stringify(keys) };
    expect((await service.fetch("/account/login", byKeys)).status).toBe(400);
    expect((await jane.fetch("/account/sessions.json")).status).toBe(401);
    service.now += 1000;
    expect((await logIn()).status).toBe(200);
  });

  it("end all sessions with a new address, except the administrator's own", async () => {
    await act("update_email", { email: "other@example.com" });
    expect((await jane.fetch("/account/sessions.json")).status).toBe(401);
    await act("update_email", { email: "own@example.com" }, "boss");
    expect((await boss.fetch("/account/sessions.json")).status).toBe(200);
  });

  it("close_sessions ends all sessions", async () => {
    expect((await act("close_sessions")).status).toBe(200);
    expect((await jane.fetch("/account/sessions.json")).status).toBe(401);
    expect(await boss.json("/admin/people/jane.json")).toMatchObject({ sessions: [] });
  });

  it("activate_account makes the records of a new account", async () => {
    await env.PATRONS.exec(
      `INSERT INTO account (username, username_folded, email, email_folded, status, created)
       VALUES ('newbie', 'newbie', 'n@example.com', 'n@example.com', 'pending', '2026-11-01T00:00:00.000000')`.replaceAll(
        "\n",
        " ",
      ),
    );
    expect((await act("activate_account", {}, "newbie")).status).toBe(200);
    expect(await account("newbie")).toMatchObject({ status: "active", has_records: 1 });
    expect(await service.json("/people/newbie/usergroup.json")).toMatchObject({
      members: [{ key: "/people/newbie" }],
    });
    await act("block_account", {}, "newbie");
    expect((await act("activate_account", {}, "newbie")).status).toBe(400);
  });

  it("redirect browsers to the account, or report the failure", async () => {
    const done = await boss.fetch("/admin/people/jane", {
      ...form({ action: "add_tag", tag: "x" }),
      headers: HTML,
    });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/people/Jane"]);
    const refused = await boss.fetch("/admin/people/jane", {
      ...form({ action: "add_tag", tag: "" }),
      headers: HTML,
    });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("<h1>Not done</h1>"),
    ]);
  });
});

describe("POST /admin/people/{username}/groups", () => {
  beforeEach(begin);

  it("takes effect at once, as a change of its own kind", async () => {
    expect((await jane.fetch("/admin.json")).status).toBe(403);
    expect(await (await role(boss, "jane", "add", "admin")).json()).toEqual({ ok: "true" });
    expect((await jane.fetch("/admin.json")).status).toBe(200);
    expect((await role(boss, "Jane", "remove", "/usergroup/admin")).status).toBe(200);
    expect((await jane.fetch("/admin.json")).status).toBe(403);
    expect(await members("admin")).toEqual(["/people/boss"]);
    expect(
      await query("SELECT kind, comment, author FROM change WHERE author IS NOT NULL ORDER BY id"),
    ).toEqual([
      {
        kind: "edit-usergroup-add-member",
        comment: "Adding /people/Jane to /usergroup/admin",
        author: "/people/boss",
      },
      {
        kind: "edit-usergroup-delete-member",
        comment: "Removing /people/Jane from /usergroup/admin",
        author: "/people/boss",
      },
    ]);
  });

  it("creates missing groups, and adds a member once", async () => {
    for (let time = 0; time < 2; time += 1)
      expect((await role(boss, "jane", "add", "curators")).status).toBe(200);
    expect(await members("curators")).toEqual(["/people/Jane"]);
    expect(await boss.json("/usergroup/curators.json")).toMatchObject({ revision: 1 });
  });

  it("keeps all members of concurrent requests", async () => {
    const names = ["amy", "ben", "cid", "dot"];
    for (const name of names) await loggedIn(service, name);
    const answers = await Promise.all(names.map((name) => role(boss, name, "add", "librarians")));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await members("librarians")).sort()).toEqual(names.map((name) => `/people/${name}`));
  });

  it("refuses groups without members", async () => {
    for (const group of ["everyone", "allusers", "nonsense", "Admin", "../x"]) {
      expect([group, (await role(boss, "jane", "add", group)).status]).toEqual([group, 400]);
    }
  });

  it.each([
    ["remove", "admin"],
    ["add", "read-only"],
  ] as const)("refuses to %s the last administrator: %s", async (action, group) => {
    expect((await role(boss, "boss", action, group)).status).toBe(400);
    expect((await role(boss, "jane", "add", "admin")).status).toBe(200);
    expect((await role(boss, "boss", action, group)).status).toBe(200);
  });

  it("does not count blocked administrators", async () => {
    await loggedIn(service, "deputy", { groups: ["admin"], status: "blocked" });
    expect((await role(boss, "boss", "remove", "admin")).status).toBe(400);
  });
});

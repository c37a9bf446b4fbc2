import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetAccount } from "../../../src/db/patrons/forget-patron.ts";
import { AUDIT_HOUR_MAX } from "../../../src/db/service/audit-log.ts";
import {
  PASSWORD,
  account,
  cookieHeader,
  formOf,
  jsonOf,
  linkTo,
  logIn,
  mailTo,
} from "../../support/worker/accounts.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
let boss: LoggedIn;
let ann: LoggedIn;

beforeAll(async () => {
  await emptyCatalog();
  await env.CATALOG.exec("DELETE FROM change_data");
  await service.load({ key: "/usergroup/everyone", type: "/type/usergroup" });
  await service.load(work(1), work(2), edition(1), author(1), author(2));
  boss = await loggedIn(service, "boss", { groups: ["admin"] });
  ann = await loggedIn(service, "Ann");
  await account(service, "Jane");
});
beforeEach(async () => {
  service.now += 60_000;
  await env.PATRONS.exec("DELETE FROM audit");
});

async function listed(query: Record<string, string> = {}): Promise<readonly Record<string, unknown>[]> {
  const answer = await boss.fetch(`/admin/audit.json?${new URLSearchParams(query)}`);
  return (await answer.json<{ events: Record<string, unknown>[] }>()).events;
}

/** Events in short, oldest first. */
async function noted(): Promise<unknown[]> {
  const events = await listed();
  return events.map(({ event, actor, subject, details }) => [event, actor, subject, details]).toReversed();
}

function form(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}

describe("audit: logins", () => {
  it("are recorded with the network, without the submitted text", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const from = (address: string) => ({ "CF-Connecting-IP": address });
    const login = { username: "jane@example.com", password: PASSWORD };
    await service.fetch("/account/login", formOf(login, from("203.0.113.77")));
    await service.fetch(
      "/account/login",
      formOf({ ...login, password: "hunter2" }, from("2001:db8:12:34::1")),
    );
    const name = { username: "no-such-name", password: "hunter2" };
    await service.fetch("/account/login.json", jsonOf(name, from("::ffff:203.0.113.5")));
    const events = await listed();
    const common = { id: expect.any(Number), time: "2100-11-21T12:01:00.000000" };
    expect(events.toReversed()).toEqual([
      {
        ...common,
        event: "login",
        actor: "/people/Jane",
        subject: null,
        network: "203.0.113.0/24",
        request: expect.stringMatching(/^test-/),
        details: { operation: "login" },
      },
      {
        ...common,
        event: "login-failed",
        actor: null,
        subject: "/people/Jane",
        network: "2001:db8:12::/48",
        request: expect.stringMatching(/^test-/),
        details: { operation: "login", reason: "account_bad_password" },
      },
      {
        ...common,
        event: "login-failed",
        actor: null,
        subject: null,
        network: "203.0.113.0/24",
        request: expect.stringMatching(/^test-/),
        details: { operation: "loginJson", reason: "account_not_found" },
      },
    ]);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    const streamed = lines.filter(({ event }) => event === "audit");
    expect(streamed.map(({ audit }) => audit)).toMatchObject([
      { event: "login", actor: "/people/Jane", network: "203.0.113.0/24" },
      { event: "login-failed", subject: "/people/Jane" },
      { event: "login-failed", subject: null },
    ]);
    const all = JSON.stringify([events, streamed]);
    for (const secret of ["hunter2", "no-such-name", "@", "203.0.113.77", "::1"]) {
      expect(all).not.toContain(secret);
    }
    log.mockRestore();
  });

  it("are recorded as throttled", async () => {
    for (let count = 0; count < 11; count += 1) await logIn(service, "throttled", { password: "wrong" });
    expect(await listed({ event: "login-throttled" })).toHaveLength(1);
    expect(await listed({ event: "login-failed" })).toHaveLength(10);
  });
});

describe("audit: refused access", () => {
  it("is recorded for requests with a session or token", async () => {
    await service.fetch("/admin");
    await ann.fetch("/admin");
    await ann.fetch("/works/OL1W.json", { method: "PUT", body: "{}" });
    await service.fetch("/system/status.json", { headers: { Authorization: "Bearer wrong" } });
    expect(await noted()).toEqual([
      ["access-refused", ann.key, null, { operation: "adminOverview", status: 403 }],
      ["access-refused", ann.key, null, { operation: "putWork", status: 403 }],
      ["access-refused", null, null, { operation: "deepStatus", status: 403 }],
    ]);
  });

  it("is recorded up to a limit per network and hour", async () => {
    const insert = `INSERT INTO audit (time, event, actor, subject, network, request, details)
      SELECT ?1, 'access-refused', '/people/Ann', NULL, 'local', '', '{}'
      FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) SELECT i FROM n)`;
    await env.PATRONS.prepare(insert)
      .bind(service.now, AUDIT_HOUR_MAX - 1)
      .run();
    const count = async () => await env.PATRONS.prepare("SELECT count(*) AS n FROM audit").first("n");
    await ann.fetch("/admin");
    await ann.fetch("/admin");
    expect(await count()).toBe(AUDIT_HOUR_MAX);
    await ann.fetch("/admin", { headers: { "CF-Connecting-IP": "203.0.113.9" } });
    expect(await count()).toBe(AUDIT_HOUR_MAX + 1);
    service.now += 3_600_000;
    await ann.fetch("/admin");
    expect(await count()).toBe(AUDIT_HOUR_MAX + 2);
  });
});

describe("audit: accounts", () => {
  it("record changes by their owners", async () => {
    const headers = cookieHeader(await logIn(service, "Jane"));
    const send = (path: string, fields: Record<string, string>) =>
      service.fetch(path, formOf(fields, headers));
    const other = "a password of some length";
    await send("/account/password", { password: PASSWORD, new_password: other });
    await send("/account/api-key", { password: other });
    await send("/account/email", { email: "other@example.com", password: other });
    await send(await linkTo("other@example.com"), {});
    await send("/account/sessions", { others: "true" });
    await send("/account/password", { password: "wrong", new_password: other });
    const about = "/people/Jane";
    const rows = await noted();
    expect(rows.map((row) => (row as unknown[]).slice(0, 3))).toEqual([
      ["login", about, null],
      ["password-changed", about, about],
      ["key-made", about, about],
      ["email-changed", about, about],
      ["sessions-ended", about, about],
      ["login-failed", about, about],
    ]);
  });

  it("record actions of administrators", async () => {
    const act = (fields: Record<string, string>) => boss.fetch("/admin/people/ann", form(fields));
    await act({ action: "set_bot_flag", bot: "true" });
    await act({ action: "update_password", password: "a password of some length" });
    await act({ action: "update_email", email: "ann@example.net" });
    await act({ action: "update_email", email: "nothing" });
    await act({ action: "anonymize_account", dry_run: "true" });
    await act({ action: "block_account_and_revert" });
    await act({ action: "unblock_account" });
    await boss.fetch("/admin/people/ann/groups", form({ action: "add", group: "librarians" }));
    await boss.fetch("/admin/people/ann/groups", form({ action: "add", group: "librarians" }));
    await boss.fetch("/admin/people/ann/groups", form({ action: "remove", group: "librarians" }));
    const by = (event: string, action: string) => [
      event,
      boss.key,
      ann.key,
      { operation: "adminPersonAction", action },
    ];
    const role = (event: string) => [
      event,
      boss.key,
      ann.key,
      { operation: "adminPersonGroups", change: expect.any(Number), group: "librarians" },
    ];
    expect(await noted()).toEqual([
      by("account-changed", "set_bot_flag"),
      by("password-changed", "update_password"),
      by("email-changed", "update_email"),
      by("account-blocked", "block_account"),
      ["reverted", boss.key, ann.key, { operation: "adminPersonAction", reverted: 0, deleted: 0 }],
      by("account-unblocked", "unblock_account"),
      role("role-given"),
      role("role-taken"),
    ]);
  });

  it("are anonymised when they are removed", async () => {
    const gone = await loggedIn(service, "Leaver");
    await gone.fetch("/admin");
    await boss.fetch("/admin/people/leaver", form({ action: "anonymize_account" }));
    await env.PATRONS.exec(
      `INSERT INTO audit (time, event, subject, network, request, details)
       VALUES (0, 'deleted', '/people/Leaver/lists/OL1L', '', '', '{}'), (0, 'deleted', '/people/Leaver2', '', '', '{}')`.replaceAll(
        "\n",
        " ",
      ),
    );
    const removal = { username: "Leaver", email: "leaver@example.com", anonymous: "nobody-1" };
    await forgetAccount(env.PATRONS, removal, 0);
    expect((await noted()).map((row) => (row as unknown[]).slice(0, 3))).toEqual([
      ["deleted", null, "/people/nobody-1/lists/OL1L"],
      ["deleted", null, "/people/Leaver2"],
      ["access-refused", "/people/nobody-1", null],
      ["account-removed", boss.key, "/people/nobody-1"],
    ]);
  });
});

it("audit: names the operator", async () => {
  await loggedIn(service, "carl");
  const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ usernames: ["carl"] });
  await service.fetch("/system/administrators", { method: "POST", headers, body });
  expect((await noted()).at(-1)).toEqual([
    "role-given",
    "operator",
    "/people/carl",
    { operation: "makeAdministrators", change: expect.any(Number), group: "admin" },
  ]);
  expect(await listed({ actor: "operator" })).toHaveLength(1);
});

describe("audit: records and settings", () => {
  it("record merges, deletions, rights and settings", async () => {
    const json = (path: string, body: object, method = "POST") =>
      boss.fetch(path, {
        method,
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      });
    await json("/authors/merge.json", { master: "/authors/OL1A", duplicates: ["/authors/OL2A"] });
    await json("/works/OL2W.json", { key: "/works/OL2W", type: { key: "/type/delete" } }, "PUT");
    await json(
      "/usergroup/maintainers.json",
      { key: "/usergroup/maintainers", type: { key: "/type/usergroup" }, members: [] },
      "PUT",
    );
    await json("/admin/spamwords", { spamwords: ["casino"] });
    await json("/admin/block", { ips: ["203.0.113.9"] });
    await json("/admin/permissions", { "perm.works": "restricted" });
    await json("/admin/read-only", { read_only: "true" });
    await json("/admin/read-only", { read_only: "false" });
    const change = expect.any(Number);
    const set = (subject: string, details: object) => ["setting-changed", boss.key, subject, details];
    expect(await noted()).toEqual([
      ["merged", boss.key, "/authors/OL1A", { operation: "mergeAuthors", duplicates: 1, done: true }],
      ["deleted", boss.key, "/works/OL2W", { operation: "putWork", change, kind: "update", records: 1 }],
      [
        "rights-changed",
        boss.key,
        "/usergroup/maintainers",
        { operation: "putRecord", change, kind: "update" },
      ],
      set("spam-words", { operation: "adminSpamwordsSave" }),
      set("blocked-addresses", { operation: "adminBlockSave", change, addresses: 1 }),
      set("permissions", { operation: "adminPermissionsSave", change, "/works": "restricted" }),
      set("read-only", { operation: "adminReadOnlySave", read_only: true }),
      set("read-only", { operation: "adminReadOnlySave", read_only: false }),
    ]);
  });

  it("answer 500 if the event cannot be recorded, except logins", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    await env.PATRONS.exec("ALTER TABLE audit RENAME TO audit_away");
    try {
      const answer = await boss.fetch("/admin/read-only", form({ read_only: "false" }));
      expect(answer.status).toBe(500);
      await account(service, "Late");
      const [here, elsewhere] = [cookieHeader(await logIn(service, "Late")), await logIn(service, "Late")];
      const change = { password: PASSWORD, new_password: "a password of some length" };
      expect((await service.fetch("/account/password", formOf(change, here))).status).toBe(500);
      const own = await service.fetch("/account/sessions.json", { headers: cookieHeader(elsewhere) });
      expect(own.status, "sessions elsewhere are over although that could not be noted").toBe(401);
      expect(await mailTo("Late@example.com")).toContain("was changed");
      expect((await logIn(service, "Late", { password: change.new_password })).status).toBe(303);
      expect(errors.mock.calls.flat().join("\n")).toContain('"event":"audit"');
    } finally {
      await env.PATRONS.exec("ALTER TABLE audit_away RENAME TO audit");
      errors.mockRestore();
    }
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { insertAccount } from "../../../src/db/accounts/registrations.ts";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../../src/db/accounts/read-secrets.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { completeLogin } from "../../../src/worker/accounts/link-identity.ts";
import type { Identity } from "../../../src/worker/accounts/identity.ts";
import { testService } from "../../support/worker/service.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const TIME = formatDatetime(NOW);
const context = { stores: storesOf(env), settings: settingsOf(env), now: NOW, requestId: "r" };

const identity = (changes: Partial<Identity> = {}): Identity => ({
  subject: "@joe",
  email: "joe@example.com",
  emailVerified: true,
  screenName: "Joe B.",
  preferredName: "@joe",
  locked: false,
  specialAccess: false,
  ...changes,
});
const login = (changes?: Partial<Identity>) =>
  completeLogin(context, { ok: true, identity: identity(changes) });
const register = (username: string, email: string, status: "pending" | "active" = "active") =>
  insertAccount(env.PATRONS, {
    username,
    email,
    displayname: username,
    passwordHash: "secret",
    status,
    created: TIME,
  });
const accounts = async () =>
  (
    await env.PATRONS.prepare("SELECT username, subject, email FROM account ORDER BY username_folded").all<{
      username: string;
      subject: string;
      email: string;
    }>()
  ).results;

beforeEach(async () => {
  await env.PATRONS.prepare("DELETE FROM account").run();
});

describe("completeLogin: a first login", () => {
  it("does not get a username that records have", async () => {
    await testService().load(
      { key: "/people/Recorded", type: "/type/user" },
      { key: "/people/departed", type: "/type/delete" },
    );
    for (const name of ["recorded", "departed"]) {
      const found = await login({
        subject: `@${name}`,
        preferredName: `@${name}`,
        email: `${name}@example.com`,
      });
      expect(found).toMatchObject({ ok: true, username: expect.stringMatching(new RegExp(`^${name}\\d+$`)) });
    }
  });

  it("creates an active account that is linked", async () => {
    expect(await login({ specialAccess: true })).toEqual({
      ok: true,
      username: "joe",
      displayname: "Joe B.",
      created: true,
      specialAccess: true,
    });
    expect(await findAccount(env.PATRONS, { subject: "@joe" })).toEqual({
      username: "joe",
      usernameFolded: "joe",
      email: "joe@example.com",
      status: "active",
      bot: false,
      created: TIME,
      displayname: "Joe B.",
      subject: "@joe",
      tags: [],
      specialAccess: true,
      hasRecords: false,
      language: null,
      lastLogin: TIME,
    });
    expect(await readPasswordHash(env.PATRONS, "joe")).toBeNull();
  });

  it("reports a new account until its records exist", async () => {
    expect(await login()).toMatchObject({ created: true });
    expect(await login()).toMatchObject({ created: true, username: "joe" });
    await setAccount(env.PATRONS, "joe", { hasRecords: true });
    expect(await login()).toMatchObject({ created: false, username: "joe" });
  });
  it("fails when all names are taken", async () => {
    await env.PATRONS.prepare(
      `WITH RECURSIVE n(i) AS (SELECT -1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
       INSERT INTO account (username, username_folded, email, email_folded, status, created)
       SELECT 'joe' || iif(i < 0, '', i), 'joe' || iif(i < 0, '', i), i, i, 'active', '' FROM n`,
    ).run();
    expect(await login()).toEqual({ ok: false, reason: "max_retries_exceeded" });
    expect(await findAccount(env.PATRONS, { subject: "@joe" })).toBeUndefined();
  });

  it("creates nothing for an address that is not verified", async () => {
    expect(await login({ emailVerified: false })).toEqual({ ok: false, reason: "ia_account_not_verified" });
    expect(await accounts()).toEqual([]);
  });

  it("creates nothing for a locked account", async () => {
    expect(await login({ locked: true })).toEqual({ ok: false, reason: "account_locked" });
    expect(await accounts()).toEqual([]);
  });
});

describe("completeLogin: an existing account", () => {
  it("is linked by its address in any case", async () => {
    await register("bloggs", "Joe@Example.com");
    expect(await login()).toMatchObject({ ok: true, username: "bloggs" });
    expect(await accounts()).toEqual([{ username: "bloggs", subject: "@joe", email: "Joe@Example.com" }]);
    expect(await readPasswordHash(env.PATRONS, "bloggs")).toBe("secret");
  });

  it("is found by its subject when the address has changed at the provider", async () => {
    await login();
    expect(await login({ email: "new@example.com", emailVerified: false })).toMatchObject({
      username: "joe",
    });
    expect(await accounts()).toEqual([{ username: "joe", subject: "@joe", email: "joe@example.com" }]);
  });

  it("is not taken over by an address that is not verified", async () => {
    await register("bloggs", "joe@example.com");
    expect(await login({ emailVerified: false })).toEqual({ ok: false, reason: "ia_account_not_verified" });
    expect(await accounts()).toMatchObject([{ subject: null }]);
  });

  it("moves to another subject with the same address, and that is logged without it", async () => {
    await login();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await login({ subject: "@joe2", emailVerified: false })).toMatchObject({ ok: false });
    expect(log).not.toHaveBeenCalled();
    expect(await login({ subject: "@joe2" })).toMatchObject({ ok: true, username: "joe" });
    expect(log.mock.calls.flat().join()).toBe(
      '{"level":"error","event":"identity-moved","requestId":"r","user":"joe"}',
    );
    vi.restoreAllMocks();
    expect(await accounts()).toMatchObject([{ username: "joe", subject: "@joe2" }]);
  });

  it("keeps its subject when the address belongs to another account", async () => {
    await login();
    await register("jane", "jane@example.com");
    expect(await login({ email: "jane@example.com" })).toMatchObject({ username: "joe" });
    expect(await accounts()).toMatchObject([
      { username: "jane", subject: null },
      { username: "joe", subject: "@joe" },
    ]);
  });

  it("becomes active, without the password of its registration", async () => {
    await register("bloggs", "joe@example.com", "pending");
    expect(await login()).toMatchObject({ ok: true, username: "bloggs", created: true });
    expect(await findAccount(env.PATRONS, { username: "bloggs" })).toMatchObject({
      status: "active",
      lastLogin: TIME,
    });
    expect(await readPasswordHash(env.PATRONS, "bloggs")).toBeNull();
  });

  it("stays closed when it is blocked", async () => {
    await login();
    await setAccount(env.PATRONS, "joe", { status: "blocked" });
    await env.PATRONS.prepare("UPDATE account SET last_login = NULL").run();
    expect(await login()).toEqual({ ok: false, reason: "account_blocked" });
    expect(await findAccount(env.PATRONS, { username: "joe" })).toMatchObject({
      status: "blocked",
      lastLogin: null,
    });
  });
});

describe("completeLogin: an account of the local provider", () => {
  const local = (account: string) => login({ account, subject: "" });

  it("needs no linking", async () => {
    await register("Jane", "jane@example.com");
    expect(await local("jane")).toMatchObject({ ok: true, username: "Jane", created: true });
    expect(await findAccount(env.PATRONS, { username: "jane" })).toMatchObject({
      subject: null,
      lastLogin: TIME,
    });
  });

  it.each([
    ["pending", "account_not_verified"],
    ["blocked", "account_blocked"],
  ] as const)("stays closed while %s", async (status, reason) => {
    await register("jane", "jane@example.com");
    await setAccount(env.PATRONS, "jane", { status });
    expect(await local("jane")).toEqual({ ok: false, reason });
    expect(await findAccount(env.PATRONS, { username: "jane" })).toMatchObject({ status, lastLogin: null });
  });

  it("fails when the account is gone", async () => {
    expect(await local("jane")).toEqual({ ok: false, reason: "account_not_found" });
  });
});

describe("completeLogin: concurrent logins", () => {
  const MANY = 50;
  const many = (changes: (index: number) => Partial<Identity>) =>
    Promise.all(Array.from({ length: MANY }, (_, index) => login(changes(index))));
  const names = (results: Awaited<ReturnType<typeof login>>[]) =>
    new Set(results.map((result) => (result.ok ? result.username : result.reason)));

  it("of one identity make one account", async () => {
    expect([...names(await many(() => ({})))]).toEqual(["joe"]);
    expect(await accounts()).toHaveLength(1);
  });

  it("of one address under many subjects make one account", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    expect([...names(await many((index) => ({ subject: `@joe${index}` })))]).toEqual(["joe"]);
    vi.restoreAllMocks();
    expect(await accounts()).toHaveLength(1);
  });

  it("of one subject under many addresses make one account", async () => {
    expect([...names(await many((index) => ({ email: `joe${index}@example.com` })))]).toEqual(["joe"]);
    expect(await accounts()).toHaveLength(1);
  });

  it("that prefer one name get names of their own", async () => {
    const results = await many((index) => ({ subject: `@${index}`, email: `joe${index}@example.com` }));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(names(results).size).toBe(MANY);
    expect(await accounts()).toHaveLength(MANY);
  });

  it("and registrations of one address make one account", async () => {
    const [results] = await Promise.all([
      many(() => ({})),
      ...Array.from({ length: MANY }, (_, index) => register(`other${index}`, "JOE@example.com", "pending")),
    ]);
    expect(names(results).size).toBe(1);
    expect(await accounts()).toMatchObject([{ subject: "@joe" }]);
    expect(await findAccount(env.PATRONS, { subject: "@joe" })).toMatchObject({ status: "active" });
  });
});

import { scryptSync } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { datetimeText } from "../../../src/catalog/datetime.ts";
import { createApiKey, createLink } from "../../../src/db/accounts/write-secrets.ts";
import { createAccount } from "../../../src/db/accounts/registrations.ts";
import { findAccount, listAccounts } from "../../../src/db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../../src/db/accounts/read-secrets.ts";
import * as update from "../../../src/db/accounts/write-accounts.ts";
import { hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";
import { newCode } from "../../../src/worker/accounts/secret.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { authenticateAccount, localProvider } from "../../../src/worker/accounts/local-provider.ts";
import { identityProvider } from "../../../src/worker/accounts/identity-provider.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const TIME = datetimeText(NOW);
const JANE = {
  username: "Jane",
  email: "Jane@Example.com",
  displayname: "Jane D.",
  passwordHash: "hash",
  status: "active",
  created: TIME,
} as const;
const patrons = env.PATRONS;
const jane = () => findAccount(patrons, { username: "jane" });

beforeEach(async () => {
  await patrons.batch(
    ["account", "account_link", "api_key"].map((table) => patrons.prepare(`DELETE FROM ${table}`)),
  );
});

const OLD_SALT = "c2FsdA";
const OLD_HASH = `scrypt$1024$8$1$${OLD_SALT}$${scryptSync("old password", "salt", 32, { N: 1024, r: 8, p: 1 }).toString("base64url")}`;

describe("passwords", () => {
  it.each([
    ["pass word", "pass word", "right"],
    ["pass word", "Pass word", "wrong"],
    ["pass word", "", "wrong"],
    ["caf\u00e9 caf\u00e9", "cafe\u0301 cafe\u0301", "right"],
    ["x".repeat(128), "x".repeat(2000), "wrong"],
  ])("%j is %j: %s", async (set, tried, verdict) => {
    expect(await verifyPassword(tried, await hashPassword(set))).toBe(verdict);
  });

  it("hashed at another cost are to be hashed again", async () => {
    expect(await verifyPassword("old password", OLD_HASH)).toBe("outdated");
    expect(await verifyPassword("other password", OLD_HASH)).toBe("wrong");
  });

  it.each(["", "plain", "scrypt$1$1$1$$", "bcrypt$1024$8$1$a$b"])(
    "stored as %j cannot be read",
    async (stored) => {
      await expect(verifyPassword("x", stored)).rejects.toThrow("cannot be read");
    },
  );
});

describe("the local provider", () => {
  const provider = localProvider({ patrons, prefix: "OL", now: NOW });
  const ip = { ip: "local" };
  const form = { email: "Joe@example.com", password: "long enough", screenName: "Joe", newsletters: false };
  const login = (email: string, password: string) => provider.authenticate(email, password, ip);
  const withPassword = () => createAccount(patrons, { ...JANE, passwordHash: OLD_HASH });

  it("knows a password, and hashes it again when it was cheap", async () => {
    await withPassword();
    const identity = {
      subject: "",
      email: "Jane@Example.com",
      emailVerified: true,
      screenName: "Jane D.",
      wish: "Jane",
      locked: false,
      specialAccess: false,
      account: "Jane",
    };
    expect(await login(" jane@example.com ", "old password")).toEqual({ ok: true, identity });
    const stored = await readPasswordHash(patrons, "jane");
    expect(stored).not.toBe(OLD_HASH);
    expect(await verifyPassword("old password", stored ?? "")).toBe("right");
    expect(await authenticateAccount(patrons, await jane(), "old password")).toMatchObject({ ok: true });
    expect(await provider.lookup({ email: "jane@example.com" })).toEqual(identity);
    expect(await provider.lookup({ email: "joe@example.com" })).toBeNull();
    expect(await provider.lookup({ subject: "@jane" })).toBeNull();
  });

  it.each([
    ["jane", "old password", "invalid_email"],
    ["joe@example.com", "old password", "account_not_found"],
    ["jane@example.com", "wrong", "account_bad_password"],
    ["jane@example.com", "", "account_bad_password"],
  ])("refuses %s with %j: %s", async (email, password, reason) => {
    await withPassword();
    expect(await login(email, password)).toEqual({ ok: false, reason });
  });

  it("refuses any password where there is none", async () => {
    await createAccount(patrons, { ...JANE, passwordHash: null });
    expect(await login("jane@example.com", "")).toEqual({ ok: false, reason: "account_bad_password" });
  });

  it.each([
    ["pending", "account_not_verified"],
    ["blocked", "account_blocked"],
  ] as const)("tells of %s only who knows the password or the keys", async (status, reason) => {
    await withPassword();
    await update.setAccount(patrons, "jane", { status });
    await createApiKey(patrons, { access: "a", secret: "s", username: "jane", created: TIME });
    expect(await login("jane@example.com", "wrong")).toEqual({ ok: false, reason: "account_bad_password" });
    expect(await login("jane@example.com", "old password")).toEqual({ ok: false, reason });
    expect(await provider.authenticateKeys("a", "wrong")).toEqual({ ok: false, reason: "invalid_s3keys" });
    expect(await provider.authenticateKeys("a", "s")).toEqual({ ok: false, reason });
  });

  it("registers, and lets in whoever has got the mail", async () => {
    expect(await provider.register?.(form)).toMatchObject({
      ok: true,
      identity: { account: "Joe", email: "Joe@example.com", emailVerified: false },
    });
    expect(await login("joe@example.com", form.password)).toMatchObject({ reason: "account_not_verified" });
    const code = newCode();
    const link = { username: "Joe", purpose: "verify", email: "Joe@example.com", code, now: NOW } as const;
    await createLink(patrons, link);
    expect(await provider.activate?.("wrong", form.password)).toEqual({
      ok: false,
      reason: "account_not_found",
    });
    expect(await provider.activate?.(code, "another one")).toMatchObject({
      ok: true,
      identity: { account: "Joe", emailVerified: true },
    });
    expect(await provider.activate?.(code, "another one")).toMatchObject({ ok: false });
    expect(await login("joe@example.com", form.password)).toMatchObject({ ok: false });
    expect(await login("joe@example.com", "another one")).toMatchObject({ ok: true });
  });

  it.each([
    ["blocked", (code: string) => update.setAccount(patrons, "jane", { status: "blocked" }).then(() => code)],
    [
      "pending",
      (code: string) =>
        update.updateEmail(patrons, { username: "jane", email: "other@example.com" }).then(() => code),
    ],
  ])("leaves an account %s that has changed since the mail", async (status, change) => {
    await createAccount(patrons, { ...JANE, status: "pending" });
    const code = newCode();
    await createLink(patrons, { username: "jane", purpose: "verify", email: JANE.email, code, now: NOW });
    await change(code);
    expect(await provider.activate?.(code, "another one")).toMatchObject({ ok: false });
    expect(await jane()).toMatchObject({ status });
  });

  it.each([
    [{ email: "joe" }, "bad_email"],
    [{ password: "1234567" }, "bad_password"],
    [{ password: "x".repeat(129) }, "bad_password"],
    [{ screenName: "a b" }, "bad_username"],
    [{ screenName: "admin" }, "bad_username"],
    [{ screenName: "OL1W" }, "bad_username"],
    [{ screenName: "JANE" }, "username_registered"],
    [{ email: "JANE@example.com" }, "email_registered"],
  ])("does not register %j: %s", async (changes, reason) => {
    await createAccount(patrons, JANE);
    expect(await provider.register?.({ ...form, ...changes })).toEqual({ ok: false, reason });
    expect(await listAccounts(patrons, { prefix: "" })).toHaveLength(1);
  });
});

describe("the configured provider", () => {
  const provider = (settings: object) =>
    identityProvider({ stores: storesOf(env), settings: { ...settingsOf(env), ...settings }, now: NOW });

  it("is the local one unless another is configured", () => {
    expect(settingsOf(env).IDENTITY_PROVIDER).toBe("local");
    expect(provider({}).activate).toBeDefined();
    const xauth = provider({
      IDENTITY_PROVIDER: "xauth",
      XAUTH_URL: "https://archive.example/xauth",
      XAUTH_KEY_URL: "https://archive.example/keys",
      ARCHIVE_PUBLIC_URL: "https://archive.example/",
    });
    expect(xauth.urls).toEqual({
      settings: "https://archive.example/account/index.php?settings=1",
      forgotPassword: "https://archive.example/account/forgot-password",
    });
  });

  it("takes keys of this service when it is an issuer", async () => {
    await createAccount(patrons, JANE);
    await createApiKey(patrons, { access: "a", secret: "s", username: "jane", created: TIME });
    const oidc = provider({
      IDENTITY_PROVIDER: "oidc",
      OIDC_ISSUER: "https://id.example/",
      OIDC_CLIENT_ID: "carrel",
    });
    expect(await oidc.authenticateKeys("a", "s")).toMatchObject({ ok: true, identity: { account: "Jane" } });
    expect(oidc.register).toBeUndefined();
  });

  it.each([
    ["xauth", "XAUTH_URL, XAUTH_KEY_URL"],
    ["oidc", "OIDC_ISSUER, OIDC_CLIENT_ID"],
  ])("%s without its addresses is a 503", (name, missing) => {
    expect(() => provider({ IDENTITY_PROVIDER: name })).toThrow(missing);
  });
});

import * as update from "../../../src/db/accounts/write-accounts.ts";
import { scryptSync } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { createApiKey, createLink } from "../../../src/db/accounts/write-secrets.ts";
import { insertAccount } from "../../../src/db/accounts/registrations.ts";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../../src/db/accounts/read-secrets.ts";
import { hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";
import { newCode } from "../../../src/worker/accounts/secret.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { authenticateAccount, localProvider } from "../../../src/worker/accounts/local-provider.ts";
import { identityProvider } from "../../../src/worker/accounts/identity-provider.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const TIME = formatDatetime(NOW);
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

describe("hashed passwords", () => {
  it.each([
    ["pass word", "pass word", "right"],
    ["pass word", "Pass word", "wrong"],
    ["pass word", "", "wrong"],
    ["caf\u00e9 caf\u00e9", "cafe\u0301 cafe\u0301", "right"],
    ["x".repeat(128), "x".repeat(2000), "wrong"],
  ])("compare %j with %j: %s", async (set, tried, verdict) => {
    expect(await verifyPassword(tried, await hashPassword(set))).toBe(verdict);
  });

  it.each(["", "plain", "scrypt$1$1$1$$", "bcrypt$1024$8$1$a$b"])(
    "stored as %j cannot be read",
    async (stored) => {
      await expect(verifyPassword("x", stored)).rejects.toThrow("cannot be read");
    },
  );
});

describe("localProvider", () => {
  const provider = localProvider({ settings: settingsOf(env), stores: storesOf(env), now: NOW });
  const ip = { ip: "local" };
  const login = (email: string, password: string) => provider.authenticate(email, password, ip);
  const withPassword = () => insertAccount(patrons, { ...JANE, passwordHash: OLD_HASH });

  it("checks a password, and hashes it again when its cost is outdated", async () => {
    await withPassword();
    const identity = {
      subject: "",
      email: "Jane@Example.com",
      emailVerified: true,
      screenName: "Jane D.",
      preferredName: "Jane",
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

  it("refuses any password for an account without one", async () => {
    await insertAccount(patrons, { ...JANE, passwordHash: null });
    expect(await login("jane@example.com", "")).toEqual({ ok: false, reason: "account_bad_password" });
  });

  it.each([
    ["pending", "account_not_verified"],
    ["blocked", "account_blocked"],
  ] as const)("reports %s only with the right password or keys", async (status, reason) => {
    await withPassword();
    await update.setAccount(patrons, "jane", { status });
    await createApiKey(patrons, { access: "a", secret: "s", username: "jane", created: TIME });
    expect(await login("jane@example.com", "wrong")).toEqual({ ok: false, reason: "account_bad_password" });
    expect(await login("jane@example.com", "old password")).toEqual({ ok: false, reason });
    expect(await provider.authenticateKeys("a", "wrong")).toEqual({ ok: false, reason: "invalid_s3keys" });
    expect(await provider.authenticateKeys("a", "s")).toEqual({ ok: false, reason });
  });

  it.each([
    ["blocked", (code: string) => update.setAccount(patrons, "jane", { status: "blocked" }).then(() => code)],
    [
      "pending",
      (code: string) =>
        update.updateEmail(patrons, { username: "jane", email: "other@example.com" }).then(() => code),
    ],
  ])("leaves an account %s that changed since the mail was sent", async (status, change) => {
    await insertAccount(patrons, { ...JANE, status: "pending" });
    const code = newCode();
    await createLink(patrons, { username: "jane", purpose: "verify", email: JANE.email, code, now: NOW });
    await change(code);
    expect(await provider.activate?.(code, "another one")).toMatchObject({ ok: false });
    expect(await jane()).toMatchObject({ status });
  });
});

describe("identityProvider", () => {
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
    await insertAccount(patrons, JANE);
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
  ])("needs for %s the settings %s", (name, missing) => {
    expect(() => provider({ IDENTITY_PROVIDER: name })).toThrow(missing);
  });
});

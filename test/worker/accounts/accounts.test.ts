import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { datetimeText } from "../../../src/catalog/datetime.ts";
import {
  checkApiKey,
  findApiKey,
  findLink,
  readPasswordHash,
} from "../../../src/db/accounts/read-secrets.ts";
import {
  LINK_SECONDS,
  createApiKey,
  createLink,
  deleteApiKey,
  takeLink,
  rehashPassword,
  updatePassword,
} from "../../../src/db/accounts/write-secrets.ts";
import { createAccount, deleteAccount } from "../../../src/db/accounts/registrations.ts";
import { LISTED_ACCOUNTS_MAX, findAccount, listAccounts } from "../../../src/db/accounts/read-accounts.ts";
import * as update from "../../../src/db/accounts/write-accounts.ts";
import { newApiKey, newCode } from "../../../src/worker/accounts/secret.ts";

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
    ["account", "account_link", "api_key", "outbox"].map((table) => patrons.prepare(`DELETE FROM ${table}`)),
  );
});

describe("createAccount", () => {
  it("creates an account without records", async () => {
    expect(await createAccount(patrons, JANE)).toEqual({ ok: true });
    const found = {
      username: "Jane",
      usernameFolded: "jane",
      email: "Jane@Example.com",
      status: "active",
      bot: false,
      created: TIME,
      displayname: "Jane D.",
      subject: null,
      tags: [],
      specialAccess: false,
      hasRecords: false,
      lastLogin: null,
    };
    expect(await jane()).toEqual(found);
    expect(await findAccount(patrons, { email: "jane@example.COM" })).toEqual(found);
    expect(await readPasswordHash(patrons, "JANE")).toBe("hash");
    expect(await readPasswordHash(patrons, "nobody")).toBeUndefined();
  });

  it.each([
    [{ username: "JANE", email: "x@example.com" }, ["username"]],
    [{ username: "other", email: "jane@example.com" }, ["email"]],
    [{ username: "jane", email: "jane@example.com" }, ["username", "email"]],
  ])("says of %j what is taken", async (changes, taken) => {
    await createAccount(patrons, JANE);
    expect(await createAccount(patrons, { ...JANE, ...changes })).toEqual({ ok: false, taken });
    expect(await listAccounts(patrons, { prefix: "" })).toHaveLength(1);
  });

  it("says both when two accounts have one each", async () => {
    await createAccount(patrons, JANE);
    await createAccount(patrons, { ...JANE, username: "joe", email: "joe@example.com" });
    const both = { ...JANE, username: "joe", email: "jane@example.com" };
    expect(await createAccount(patrons, both)).toEqual({ ok: false, taken: ["username", "email"] });
  });

  it("creates one of many at the same time", async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => createAccount(patrons, JANE)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe("updates", () => {
  beforeEach(async () => {
    await createAccount(patrons, JANE);
    await createAccount(patrons, { ...JANE, username: "joe", email: "joe@example.com" });
  });

  it.each([
    ["status", () => update.setAccount(patrons, "JANE", { status: "blocked" }), { status: "blocked" }],
    ["bot", () => update.setAccount(patrons, "jane", { bot: true }), { bot: true }],
    ["tags", () => update.setAccount(patrons, "jane", { tags: ["a", 'b"c'] }), { tags: ["a", 'b"c'] }],
    ["records", () => update.setAccount(patrons, "jane", { hasRecords: true }), { hasRecords: true }],
  ])("change the %s of one account", async (_name, run, changed) => {
    const [before, joe] = [await jane(), await findAccount(patrons, { username: "joe" })];
    expect(await run()).toBe(true);
    expect(await jane()).toEqual({ ...before, ...changed });
    expect(await findAccount(patrons, { username: "joe" })).toEqual(joe);
  });

  it("are false without an account", async () => {
    expect(await update.setAccount(patrons, "nobody", { status: "blocked" })).toBe(false);
    expect(await updatePassword(patrons, { username: "nobody", passwordHash: "x" })).toBe(false);
  });

  it("activate only those who wait for it", async () => {
    await update.setAccount(patrons, "jane", { status: "blocked" });
    await update.setAccount(patrons, "joe", { status: "pending" });
    for (const name of ["JANE", "JOE", "nobody"]) await update.activatePending(patrons, name);
    expect(await jane()).toMatchObject({ status: "blocked" });
    expect(await findAccount(patrons, { username: "joe" })).toMatchObject({ status: "active" });
  });

  it("replace a password, at will only a certain one", async () => {
    const change = { username: "JANE", passwordHash: "new" };
    expect(await updatePassword(patrons, { ...change, instead: "other" })).toBe(false);
    expect(await readPasswordHash(patrons, "jane")).toBe("hash");
    expect(await updatePassword(patrons, { ...change, instead: "hash" })).toBe(true);
    expect(await readPasswordHash(patrons, "jane")).toBe("new");
    expect(await readPasswordHash(patrons, "joe")).toBe("hash");
  });

  it.each([
    ["jane", "new@example.com", "updated"],
    ["jane", "JANE@example.com", "updated"],
    ["jane", "JOE@example.com", "taken"],
    ["nobody", "joe@example.com", "taken"],
    ["nobody", "new@example.com", "missing"],
  ])("give %s the address %s: %s", async (username, email, outcome) => {
    expect(await update.updateEmail(patrons, { username, email })).toBe(outcome);
    const account = await jane();
    expect(account?.email).toBe(outcome === "updated" ? email : JANE.email);
  });

  it("give an address to one of several who want it", async () => {
    const outcomes = await Promise.all(
      ["jane", "joe"].map((username) => update.updateEmail(patrons, { username, email: "new@example.com" })),
    );
    expect(outcomes.sort()).toEqual(["taken", "updated"]);
  });
});

describe("listAccounts", () => {
  beforeEach(async () => {
    for (const [username, email] of [
      ["Bea", "z@a.org"],
      ["bEatrice", "y@a.org"],
      ["beau", "x@b.org"],
      ["be_", "w@b.org"],
      ["Zoë", "bea@b.org"],
    ] as const) {
      await createAccount(patrons, { ...JANE, username, email });
    }
  });
  const names = async (search: Parameters<typeof listAccounts>[1]) =>
    (await listAccounts(patrons, search)).map(({ username }) => username);

  it.each([
    [{ prefix: "" }, ["be_", "Bea", "bEatrice", "beau", "Zoë"]],
    [{ prefix: "BEA" }, ["Bea", "bEatrice", "beau"]],
    [{ prefix: "bea", after: "bea" }, ["bEatrice", "beau"]],
    [{ prefix: "bea", limit: 1 }, ["Bea"]],
    [{ prefix: "zo" }, ["Zoë"]],
    [{ prefix: "be%" }, []],
    [{ prefix: "bea", by: "email" }, ["Zoë"]],
    [{ prefix: "", by: "email", after: "w@b.org" }, ["beau", "bEatrice", "Bea"]],
  ] as const)("%j", async (search, found) => expect(await names(search)).toEqual(found));

  it("is bounded", async () => {
    await patrons
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
         INSERT INTO account (username, username_folded, email, email_folded, status, created)
         SELECT 'n' || i, 'n' || i, i, i, 'active', '' FROM n`,
      )
      .run();
    expect(await names({ prefix: "n", limit: 1000 })).toHaveLength(LISTED_ACCOUNTS_MAX);
  });
});

describe("links", () => {
  const code = newCode();
  const link = { username: "JANE", purpose: "verify", email: "new@example.com", code, now: NOW } as const;
  const found = { username: "Jane", email: "new@example.com" };
  beforeEach(async () => {
    await createAccount(patrons, JANE);
    await createLink(patrons, link);
  });

  it("work once", async () => {
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(await findLink(patrons, link)).toEqual(found);
    expect(await takeLink(patrons, link)).toEqual(found);
    expect(await findLink(patrons, link)).toBeUndefined();
    expect(await takeLink(patrons, link)).toBeUndefined();
  });

  it("work for one of many at the same time", async () => {
    const taken = await Promise.all(Array.from({ length: 30 }, () => takeLink(patrons, link)));
    expect(taken.filter((one) => one !== undefined)).toEqual([found]);
  });

  it.each([
    ["another purpose", { purpose: "password" }],
    ["another code", { code: newCode() }],
    ["no code", { code: "" }],
    ["a link a day old", { now: NOW + LINK_SECONDS.verify * 1000 }],
  ] as const)("do not work with %s", async (_name, changes) => {
    expect(await findLink(patrons, { ...link, ...changes })).toBeUndefined();
    expect(await takeLink(patrons, { ...link, ...changes })).toBeUndefined();
    expect(await takeLink(patrons, { ...link, now: NOW + LINK_SECONDS.verify * 1000 - 1 })).toEqual(found);
  });

  it("are replaced by newer ones for the same purpose", async () => {
    const second = { ...link, code: newCode() };
    const other = { ...link, code: newCode(), purpose: "password" } as const;
    await createLink(patrons, second);
    await createLink(patrons, other);
    expect(await takeLink(patrons, link)).toBeUndefined();
    expect(await takeLink(patrons, second)).toEqual(found);
    expect(await takeLink(patrons, other)).toEqual(found);
  });

  it.each([
    ["password", 3600],
    ["verify", 86_400],
    ["email", 86_400],
  ] as const)("for %s work for %d seconds", async (purpose, seconds) => {
    const made = { ...link, purpose, code: newCode() };
    await createLink(patrons, made);
    expect(await findLink(patrons, { ...made, now: NOW + seconds * 1000 })).toBeUndefined();
    expect(await findLink(patrons, { ...made, now: NOW + seconds * 1000 - 1 })).toEqual(found);
  });

  it("are stored hashed and do not pile up", async () => {
    const rows = async () => (await patrons.prepare("SELECT * FROM account_link").all()).results;
    expect(JSON.stringify(await rows())).not.toContain(code);
    await createLink(patrons, {
      ...link,
      username: "joe",
      code: newCode(),
      now: NOW + LINK_SECONDS.verify * 1000,
    });
    expect(await rows()).toMatchObject([{ username_folded: "joe" }]);
  });

  it("lead nowhere when the account is gone", async () => {
    const key = newApiKey();
    await createApiKey(patrons, { ...key, username: "jane", created: TIME });
    await deleteAccount(patrons, "JANE");
    expect(await takeLink(patrons, link)).toBeUndefined();
    expect(await checkApiKey(patrons, key, NOW)).toBeUndefined();
    expect(await jane()).toBeUndefined();
  });
});

describe("API keys", () => {
  const key = newApiKey();
  beforeEach(async () => {
    await createAccount(patrons, JANE);
    await createApiKey(patrons, { ...key, username: "JANE", created: TIME });
  });

  it("are checked", async () => {
    expect(await checkApiKey(patrons, key, NOW)).toEqual(await jane());
    const { access } = key;
    expect(await findApiKey(patrons, "jane")).toEqual({ access, created: TIME, lastUsed: TIME.slice(0, 10) });
  });

  it("note the day of their last use, once a day", async () => {
    const lastUsed = async () => (await findApiKey(patrons, "jane"))?.lastUsed;
    const marked = "UPDATE api_key SET last_used = '2026-11-21' WHERE username_folded = 'jane'";
    expect(await lastUsed()).toBeNull();
    await checkApiKey(patrons, { ...key, secret: "wrong" }, NOW);
    expect(await lastUsed()).toBeNull();
    await patrons.exec(marked);
    // A write would fail.
    await patrons.exec(
      "CREATE TRIGGER no_writes BEFORE UPDATE ON api_key BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    try {
      expect(await checkApiKey(patrons, key, NOW)).toMatchObject({ username: "Jane" });
      await expect(checkApiKey(patrons, key, NOW + 86_400_000)).rejects.toThrow("Failed query: update");
    } finally {
      await patrons.exec("DROP TRIGGER no_writes");
    }
    await checkApiKey(patrons, key, NOW + 86_400_000);
    expect(await lastUsed()).toBe("2026-11-22");
  });

  it("end with the password, and are not made for one that is another by now", async () => {
    const change = { username: "JANE", passwordHash: "new" };
    await updatePassword(patrons, { ...change, instead: "other" });
    await rehashPassword(patrons, { ...change, passwordHash: "again", instead: "hash" });
    expect(await checkApiKey(patrons, key, NOW)).toMatchObject({ username: "Jane" });
    await updatePassword(patrons, change);
    expect(await checkApiKey(patrons, key, NOW)).toBeUndefined();
    const another = { ...newApiKey(), username: "jane", created: TIME };
    expect(await createApiKey(patrons, { ...another, proof: "again" })).toBe(false);
    expect(await createApiKey(patrons, { ...another, proof: null })).toBe(false);
    expect(await checkApiKey(patrons, another, NOW)).toBeUndefined();
    expect(await createApiKey(patrons, { ...another, proof: "new" })).toBe(true);
    expect(await checkApiKey(patrons, another, NOW)).toMatchObject({ username: "Jane" });
  });

  it.each([
    { ...key, secret: "" },
    { ...key, secret: key.secret.toUpperCase() },
    { ...key, secret: `${key.secret} ` },
    { ...key, access: "nobody" },
    { access: "", secret: "" },
    { access: "nobody", secret: "" },
  ])("are refused: %j", async (wrong) => expect(await checkApiKey(patrons, wrong, NOW)).toBeUndefined());

  it("are stored hashed", async () => {
    const { results } = await patrons.prepare("SELECT * FROM api_key").all();
    expect(JSON.stringify(results)).not.toContain(key.secret);
  });

  it("replace each other, and can be void", async () => {
    const second = newApiKey();
    await createApiKey(patrons, { ...second, username: "jane", created: TIME });
    expect(await checkApiKey(patrons, key, NOW)).toBeUndefined();
    expect(await checkApiKey(patrons, second, NOW)).toMatchObject({ username: "Jane" });
    await deleteApiKey(patrons, "Jane");
    expect(await checkApiKey(patrons, second, NOW)).toBeUndefined();
    expect(await findApiKey(patrons, "jane")).toBeUndefined();
  });
});

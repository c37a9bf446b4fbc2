import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
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
import { insertAccount, deleteAccount } from "../../../src/db/accounts/registrations.ts";
import { LISTED_ACCOUNTS_MAX, findAccount, listAccounts } from "../../../src/db/accounts/read-accounts.ts";
import * as update from "../../../src/db/accounts/write-accounts.ts";
import { newApiKey, newCode } from "../../../src/worker/accounts/secret.ts";

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
    ["account", "account_link", "api_key", "outbox"].map((table) => patrons.prepare(`DELETE FROM ${table}`)),
  );
});

describe("insertAccount", () => {
  it("reports both when two accounts hold one each", async () => {
    await insertAccount(patrons, JANE);
    await insertAccount(patrons, { ...JANE, username: "joe", email: "joe@example.com" });
    const both = { ...JANE, username: "joe", email: "jane@example.com" };
    expect(await insertAccount(patrons, both)).toEqual({ ok: false, taken: ["username", "email"] });
  });
});

describe("changes of an account", () => {
  beforeEach(async () => {
    await insertAccount(patrons, JANE);
    await insertAccount(patrons, { ...JANE, username: "joe", email: "joe@example.com" });
  });

  it("return false without an account", async () => {
    expect(await update.setAccount(patrons, "nobody", { status: "blocked" })).toBe(false);
    expect(await updatePassword(patrons, { username: "nobody", passwordHash: "x" })).toBe(false);
  });

  it("activate pending accounts only", async () => {
    await update.setAccount(patrons, "jane", { status: "blocked" });
    await update.setAccount(patrons, "joe", { status: "pending" });
    for (const name of ["JANE", "JOE", "nobody"]) await update.activatePending(patrons, name);
    expect(await jane()).toMatchObject({ status: "blocked" });
    expect(await findAccount(patrons, { username: "joe" })).toMatchObject({ status: "active" });
  });

  it("replace a password, or only an expected one", async () => {
    const change = { username: "JANE", passwordHash: "new" };
    expect(await updatePassword(patrons, { ...change, instead: "other" })).toBe(false);
    expect(await readPasswordHash(patrons, "jane")).toBe("hash");
    expect(await updatePassword(patrons, { ...change, instead: "hash" })).toBe(true);
    expect(await readPasswordHash(patrons, "jane")).toBe("new");
    expect(await readPasswordHash(patrons, "joe")).toBe("hash");
  });

  it("give an address to one of two concurrent requests", async () => {
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
      await insertAccount(patrons, { ...JANE, username, email });
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
  ] as const)("finds accounts by %j", async (search, found) => expect(await names(search)).toEqual(found));

  it("returns at most LISTED_ACCOUNTS_MAX accounts", async () => {
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

describe("account links", () => {
  const code = newCode();
  const link = { username: "JANE", purpose: "verify", email: "new@example.com", code, now: NOW } as const;
  const found = { username: "Jane", email: "new@example.com" };
  beforeEach(async () => {
    await insertAccount(patrons, JANE);
    await createLink(patrons, link);
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

  it("and API keys end with the account", async () => {
    const key = newApiKey();
    await createApiKey(patrons, { ...key, username: "jane", created: TIME });
    await deleteAccount(patrons, "JANE");
    expect(await takeLink(patrons, link)).toBeUndefined();
    expect(await checkApiKey(patrons, key, NOW)).toBeUndefined();
    expect(await jane()).toBeUndefined();
  });
});

describe("stored API keys", () => {
  const key = newApiKey();
  beforeEach(async () => {
    await insertAccount(patrons, JANE);
    await createApiKey(patrons, { ...key, username: "JANE", created: TIME });
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

  it("end when the password changes, and are not created for an outdated password", async () => {
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

  it("replace each other, and can be deleted", async () => {
    const second = newApiKey();
    await createApiKey(patrons, { ...second, username: "jane", created: TIME });
    expect(await checkApiKey(patrons, key, NOW)).toBeUndefined();
    expect(await checkApiKey(patrons, second, NOW)).toMatchObject({ username: "Jane" });
    await deleteApiKey(patrons, "Jane");
    expect(await checkApiKey(patrons, second, NOW)).toBeUndefined();
    expect(await findApiKey(patrons, "jane")).toBeUndefined();
  });
});

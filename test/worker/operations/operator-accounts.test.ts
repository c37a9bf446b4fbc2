import { env } from "cloudflare:workers";
import { describe, expect, it, test } from "vitest";
import { PATRONS_LINES, PATRON_ENTRIES } from "../../../src/worker/operations/operator-accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const joe = {
  username: "Joe_Reader",
  email: "joe@example.org",
  shelves: [
    { work: 1, shelf: "already-read", edition: 7, date: "2025-01-02T03:04:05" },
    { work: 2, shelf: "want-to-read", date: "2025-02-02T03:04:05" },
  ],
  ratings: [{ work: 1, stars: 4, date: "2025-01-03T00:00:00Z" }],
};

function send(...lines: (object | string)[]): Promise<Response> {
  return service.fetch("/system/patrons", {
    method: "POST",
    body: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` },
  });
}

const objectOf = (name: string) => env.PATRON.getByName(name);

test("creates account, shelves, ratings and privacy", async () => {
  expect(await (await send(joe)).json()).toEqual({ patrons: 1, rejected: [] });

  const window = { offset: 0, limit: 10, oldestFirst: false };
  const { entries, total } = await objectOf("joe_reader").shelves.page(3, window);
  expect({ entries, total }).toEqual({
    entries: [
      {
        work: 1,
        shelf: 3,
        edition: 7,
        created: Date.parse("2025-01-02T03:04:05Z"),
        updated: Date.parse("2025-01-02T03:04:05Z"),
      },
    ],
    total: 1,
  });
  expect((await objectOf("joe_reader").shelves.rating(1))?.stars).toBe(4);
  expect((await objectOf("joe_reader").preferences())["public_readlog"]).toBe("no");
  const sql = "SELECT username, status, password_hash FROM account WHERE email_folded = ?";
  expect(await env.PATRONS.prepare(sql).bind("joe@example.org").first()).toEqual({
    username: "Joe_Reader",
    status: "active",
    password_hash: null,
  });
});

test("keeps later changes when sent again", async () => {
  await send(joe);
  await objectOf("joe_reader").shelves.put({ work: 2, shelf: 4, keep: true, now: 1 });
  await objectOf("joe_reader").shelves.put({ work: 1, shelf: -1, keep: true, now: 2 });

  await send(joe);

  expect(await objectOf("joe_reader").shelves.entry(2)).toMatchObject({ shelf: 4 });
  expect(await objectOf("joe_reader").shelves.entry(1)).toMatchObject({ shelf: 3 });
  expect(await objectOf("joe_reader").shelves.sizes()).toMatchObject({ 3: 1, 4: 1 });
});

test("rejects foreign addresses and invalid lines one by one", async () => {
  await send(joe);
  const other = { username: "other_reader", email: "JOE@example.org" };
  const answer = await send(other, "not json", { ...joe, shelves: [{ work: 0, shelf: "lost" }] });
  expect(await answer.json()).toEqual({
    patrons: 0,
    rejected: [
      { line: 2, reason: expect.stringContaining("expected object") },
      { line: 3, reason: expect.stringContaining("shelves[0].work") },
      { line: 1, reason: "The username or the email address belongs to another account" },
    ],
  });
});

test("stores nothing for a name of another account", async () => {
  await send(joe);
  const shelves = [{ work: 99, shelf: "want-to-read", date: "2025-01-02T03:04:05" }];
  const answer = await send({ username: "joe_reader", email: "another_joe@example.org", shelves });
  expect(await answer.json()).toEqual({
    patrons: 0,
    rejected: [{ line: 1, reason: "The username or the email address belongs to another account" }],
  });
  expect(await objectOf("joe_reader").shelves.entry(99)).toBeUndefined();
});

test("rejects dates out of range and reserved names", async () => {
  const dated = (username: string, date: string) => ({
    username,
    email: `${username}@example.org`,
    ratings: [{ work: 3, stars: 4, date }],
  });
  const answer = await send(
    dated("early", "1969-12-31T23:59:59"),
    dated("late", "2099-01-01T00:00:00"),
    dated("Anonymous-1", "2025-01-01T00:00:00"),
  );
  expect(await answer.json()).toEqual({
    patrons: 0,
    rejected: [
      { line: 1, reason: expect.stringContaining("Before 1970") },
      { line: 2, reason: "A date is in the future" },
      { line: 3, reason: expect.stringContaining("reserved") },
    ],
  });
});

test("does not restore a removed account", async () => {
  await objectOf("who_left").upkeep.seal();
  const answer = await send(
    { username: "who_left", email: "left@example.org" },
    { username: "who_stays", email: "stays@example.org" },
  );
  expect(await answer.json()).toEqual({
    patrons: 1,
    rejected: [{ line: 1, reason: "The account with this username was removed" }],
  });
  const sql = "SELECT username FROM account WHERE username LIKE 'who%'";
  expect((await env.PATRONS.prepare(sql).all()).results).toEqual([{ username: "who_stays" }]);
});

test("limits lines and entries", async () => {
  const lines = Array.from({ length: PATRONS_LINES + 1 }, () => "{}");
  expect((await send(...lines)).status).toBe(400);
  const shelves = Array.from({ length: PATRON_ENTRIES + 1 }, () => joe.shelves[0]);
  const answer = await (await send({ ...joe, shelves })).json<{ rejected: { line: number }[] }>();
  expect(answer.rejected).toMatchObject([{ line: 1 }]);
});

describe("POST /system/password-links", () => {
  const post = async (
    path: string,
    body: object,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Type": "application/json" };
    const answer = await service.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const setPassword = async (url: unknown, password: string): Promise<number> => {
    const headers = { "Content-Type": "application/json" };
    const options = { method: "POST", headers, body: JSON.stringify({ password }) };
    return (await service.fetch(new URL(String(url)).pathname, options)).status;
  };
  const password = "quiet-otter-57";

  it("opens a new account to its administrator, once, and no account with a password", async () => {
    await service.load({ key: "/usergroup/everyone", type: "/type/usergroup" });
    await send({ username: "first", email: "first@example.org" });
    expect((await post("/system/administrators", { usernames: ["first"] })).status).toBe(200);
    expect(await service.json("/usergroup/admin.json")).toMatchObject({
      members: [{ key: "/people/first" }],
    });
    const old = await post("/system/password-links", { username: "FIRST" });
    const { status, body } = await post("/system/password-links", { username: "first" });
    expect([status, body]).toEqual([
      200,
      {
        username: "first",
        url: expect.stringMatching(/^http:\/\/\S+\/account\/password\/reset\/[0-9a-f]{32}$/),
      },
    ]);
    expect(await setPassword(old.body["url"], password)).toBe(404);
    expect(await setPassword(body["url"], password)).toBe(200);
    expect(await setPassword(body["url"], password)).toBe(404);
    const login = await service.fetch("/account/login.json", {
      method: "POST",
      body: JSON.stringify({ username: "first", password }),
    });
    expect(login.status).toBe(200);
    expect((await post("/system/password-links", { username: "first" })).body).toEqual({
      username: "first",
      url: null,
    });
    const sql = "SELECT actor, subject FROM audit WHERE event = 'link-made'";
    const { results } = await env.PATRONS.prepare(sql).all();
    expect(results).toEqual([1, 2].map(() => ({ actor: "operator", subject: "/people/first" })));
  });

  it("expires after an hour", async () => {
    await send({ username: "late", email: "late@example.org" });
    const { body } = await post("/system/password-links", { username: "late" });
    service.now += 3_600_001;
    expect(await setPassword(body["url"], password)).toBe(404);
  });

  it("makes no link where others manage passwords", async () => {
    await send({ username: "elsewhere", email: "elsewhere@example.org" });
    const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Type": "application/json" };
    const other = testService({
      IDENTITY_PROVIDER: "oidc",
      OIDC_ISSUER: "https://id.example.org",
      OIDC_CLIENT_ID: "carrel",
    });
    const body = JSON.stringify({ username: "elsewhere" });
    const answer = await other.fetch("/system/password-links", { method: "POST", headers, body });
    expect(await answer.json()).toEqual({ username: "elsewhere", url: null });
  });

  it.each([
    [{ username: "missing" }, 400],
    [{}, 422],
  ])("answers %j with %i", async (body, status) => {
    expect((await post("/system/password-links", body)).status).toBe(status);
  });
});

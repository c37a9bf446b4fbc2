import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const create = (body: unknown, on = service): Promise<Response> =>
  on.fetch("/system/development-accounts", {
    method: "POST",
    headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const accounts = async (): Promise<Record<string, unknown>[]> =>
  (await env.PATRONS.prepare("SELECT username, email, password_hash FROM account ORDER BY username").all())
    .results;

describe("POST /system/development-accounts", () => {
  it("answers 404 in production", async () => {
    const response = await create({ usernames: ["reader"] }, testService({ ENVIRONMENT: "production" }));
    expect(response.status).toBe(404);
    expect(await accounts()).toEqual([]);
  });

  it("refuses other bodies", async () => {
    for (const body of [
      "",
      {},
      { usernames: "reader" },
      { usernames: ["x"] },
      { usernames: ["reader"], emails: { reader: "nowhere" } },
      { usernames: ["a b c"] },
      { usernames: Array.from({ length: 21 }, (_, index) => `reader${index}`) },
    ]) {
      const response = await create(body);
      expect(response.status, JSON.stringify(body)).toBe(400);
      expect(await response.json()).toMatchObject({ error: "bad_data" });
    }
    expect(await accounts()).toEqual([]);
  });

  it("creates accounts once with hashed passwords", async () => {
    const usernames = ["patron", "reader"];
    const response = await create({ usernames });
    expect(await response.json()).toEqual({ accounts: usernames });
    const rows = await accounts();
    expect(rows.map(({ username, email }) => [username, email])).toEqual([
      ["patron", "patron@example.com"],
      ["reader", "reader@example.com"],
    ]);
    const hashes = rows.map((row) => String(row["password_hash"]));
    for (const hash of hashes) expect(hash).toMatch(/^scrypt\$\d+\$\d+\$\d+\$[\w-]+\$[\w-]+$/);
    expect(new Set(hashes).size).toBe(2);
    expect((await create({ usernames })).status).toBe(200);
    expect(await accounts()).toEqual(rows);
  });

  it("keeps accounts out of the log when the database fails", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await env.PATRONS.prepare("ALTER TABLE account RENAME TO elsewhere").run();
    const response = await create({ usernames: ["secretive"] });
    await env.PATRONS.prepare("ALTER TABLE elsewhere RENAME TO account").run();
    expect(response.status).toBe(500);
    const written = log.mock.calls.flat().join("\n");
    vi.restoreAllMocks();
    expect(written).toContain("no such table");
    expect(written).not.toMatch(/secretive|scrypt/);
  });
});

describe("development accounts", () => {
  const logIn = (
    sent: Record<string, string>,
    { headers = {}, host = "", on = service } = {},
  ): Promise<Response> =>
    on.fetch(`${host}/account/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(sent),
    });
  const KNOWN: Record<string, string>[] = [
    { access: "foo", secret: "foo" },
    { username: "openlibrary", password: "openlibrary" },
  ];
  const ELSEWHERE = [
    { headers: { "X-Forwarded-For": "203.0.113.5" } },
    { headers: { Forwarded: "for=203.0.113.5" } },
    { headers: { Via: "1.1 proxy" } },
    { host: ".books.example" },
  ];

  it("log in on the machine of the service only", async () => {
    await create({
      usernames: ["openlibrary"],
      keys: [{ username: "openlibrary", access: "foo", secret: "foo" }],
    });
    for (const sent of KNOWN) {
      expect((await logIn(sent)).status).toBe(200);
      for (const from of ELSEWHERE) {
        const response = await logIn(sent, from);
        expect([response.status, response.headers.getSetCookie()], JSON.stringify([sent, from])).toEqual([
          400,
          [],
        ]);
      }
    }
  });

  it("leave other accounts alone", async () => {
    await loggedIn(service, "ann");
    const response = await logIn({ username: "ann", password: "wrong" }, ELSEWHERE[0]);
    expect(await response.json()).toMatchObject({ error: "account_bad_password" });
  });

  it("never log in at a service for users, which may have the state of a development service", async () => {
    const on = testService({ ENVIRONMENT: "production" });
    for (const sent of KNOWN) expect((await logIn(sent, { on })).status).toBe(400);
  });

  it.each(["/development/outbox.json", "/debug/memory.json"])("and %s are local only", async (path) => {
    expect((await service.fetch(path)).status).toBe(200);
    expect((await service.fetch(path, { headers: { "X-Forwarded-For": "203.0.113.5" } })).status).toBe(404);
  });
});

describe("POST /system/administrators", () => {
  const make = (body: unknown): Promise<Response> =>
    service.fetch("/system/administrators", {
      method: "POST",
      headers: { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const group = (): Promise<unknown> => service.json(`/usergroup/admin.json?now=${(service.now += 1)}`);

  it("adds administrators without removing others", async () => {
    await service.load({ key: "/usergroup/everyone", type: "/type/usergroup" });
    const [ann, bob] = [await loggedIn(service, "Ann"), await loggedIn(service, "bob")];
    expect((await ann.fetch("/admin.json")).status).toBe(403);
    const answer = await make({ usernames: ["ann", "ANN"] });
    expect([answer.status, await answer.json()]).toEqual([200, { administrators: ["Ann"] }]);
    expect((await ann.fetch("/admin.json")).status).toBe(200);
    expect((await make({ usernames: ["bob", "ann"] })).status).toBe(200);
    expect((await bob.fetch("/admin.json")).status).toBe(200);
    expect(await group()).toMatchObject({
      revision: 2,
      members: [{ key: "/people/Ann" }, { key: "/people/bob" }],
    });
    expect(await service.json("/recentchanges/edit-usergroup-add-member.json")).toMatchObject([
      { comment: "Adding /people/bob to /usergroup/admin", author: null },
      { comment: "Adding /people/Ann to /usergroup/admin", author: null },
    ]);
  });

  it("refuses unknown and inactive accounts, and other bodies", async () => {
    await loggedIn(service, "waiting", { status: "pending" });
    const before = await group();
    for (const [body, status] of [
      [{ usernames: ["missing"] }, 400],
      [{ usernames: ["waiting"] }, 400],
      [{ usernames: [] }, 422],
      [{ usernames: "ann" }, 422],
      [{}, 422],
    ] as const)
      expect((await make(body)).status, JSON.stringify(body)).toBe(status);
    expect(await group()).toEqual(before);
  });
});

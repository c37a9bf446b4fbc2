import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "../../../src/db/service/audit-log.ts";
import { formOf, jsonOf, mailTo, newAddress } from "../../support/worker/accounts.ts";
import { bearer, oauthWorld } from "../../support/worker/oauth.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
service.now = Date.parse("2100-11-21T12:00:00Z");
const world = oauthWorld(service);
const { get, makeToken, newPerson } = world;
const HTML = { Accept: "text/html" };
const DAY = 86_400_000;
const MIB = 1024 * 1024;

beforeAll(world.open);

interface TokenList {
  tokens: { id: string; name: string; scopes: string[]; last_used: string | null; network: string }[];
  apps: { name: string; place: string; scopes: string[] }[];
}
const list = async (cookie: { Cookie: string }): Promise<TokenList> =>
  (await get("/account/tokens.json", cookie)).json();

describe("/account/tokens", () => {
  it("creates a token that is shown once, lists its use, and revokes it", async () => {
    const { username, cookie } = await newPerson();
    const fields = "name=My+script&days=30&scope=read&scope=shelves&password=correct+horse";
    const page = await service.fetch("/account/tokens", {
      ...formOf({}, { ...cookie, ...HTML }),
      body: fields,
    });
    const [token = ""] = /carrel_pat_[\w-]+/.exec(await page.text()) ?? [];
    expect(await mailTo(`${username}@example.com`)).toContain("personal token");
    expect(await (await get("/account/tokens", { ...cookie, ...HTML })).text()).not.toContain(token);
    expect((await list(cookie)).tokens).toMatchObject([
      { name: "My script", scopes: ["read", "shelves"], last_used: null },
    ]);
    expect(
      (await get("/account/loans.json", { ...bearer(token), "CF-Connecting-IP": "203.0.113.9" })).status,
    ).toBe(200);
    const [used] = (await list(cookie)).tokens;
    expect(used).toMatchObject({ last_used: "2100-11-21T12:00:00.000000", network: "203.0.113.9" });
    const revoked = await service.fetch(
      "/account/tokens/revoke",
      formOf({ id: used?.id ?? "" }, { ...cookie, ...HTML }),
    );
    expect(revoked.headers.get("Location")).toBe("/account/tokens");
    expect((await get("/account/loans.json", bearer(token))).status).toBe(401);
    const events = await listAudit(env.PATRONS, { subject: `/people/${username}` }, 10);
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["token-made", "token-revoked"]));
    expect(JSON.stringify(events)).not.toContain(token.slice(11, 60));
  });

  it("shows a refused form again, with what was typed and the reason at its field", async () => {
    const fields = "name=My+script&days=4000&scope=lists&password=correct+horse";
    const page = await service.fetch("/account/tokens", {
      ...formOf({}, { ...world.cookie, ...HTML }),
      body: fields,
    });
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain('value="My script"');
    expect(text).toContain('id="days-error"');
    expect(text).toMatch(/value="lists" checked/);
  });

  it("stores hashes only, and no backup has them", async () => {
    const { username, cookie } = await newPerson();
    const token = await makeToken(cookie, "read");
    const { tables } = await env.PATRON.getByName(username.toLowerCase()).backup.read(null);
    expect(Object.keys(tables)).not.toEqual(expect.arrayContaining(["token"]));
    const stored = await runInDurableObject(
      env.PATRON.getByName(username.toLowerCase()),
      (_object, state) => [
        ...state.storage.sql.exec("SELECT * FROM token"),
        ...state.storage.sql.exec("SELECT * FROM access_grant"),
      ],
    );
    expect(stored).toMatchObject([
      { hash: expect.stringMatching(/^[0-9a-f]{64}$/), kind: "use" },
      { name: "script" },
    ]);
    const secret = atob(
      token.slice("carrel_pat_".length, -6).replaceAll("-", "+").replaceAll("_", "/"),
    ).slice(-90);
    expect(JSON.stringify(stored)).not.toContain(/-([\w-]{22})%24/.exec(secret)?.[1]);
  });

  it("keeps a bounded number of tokens of an app, the newest", async () => {
    const { username, cookie } = await newPerson();
    const object = env.PATRON.getByName(username.toLowerCase());
    const { access_token: first } = await world.tokens({ cookie });
    const [grant] = (await list(cookie)).apps as unknown as { id: string }[];
    await runInDurableObject(object, (_object, { storage }) => {
      for (let count = 0; count < 300; count += 1) {
        const text = "INSERT INTO token VALUES (?, ?, 'use', ?, 0, NULL)";
        storage.sql.exec(text, `hash ${count}`, grant?.id ?? "", service.now + 7_200_000 + count);
      }
    });
    await service.fetch("/oauth2/token-to-cookie", formOf({ access_token: first }));
    const left = await runInDurableObject(object, (_object, { storage }) =>
      storage.sql
        .exec<{ n: number; oldest: number }>(
          "SELECT count(*) AS n, min(expires) AS oldest FROM token WHERE kind = 'use'",
        )
        .one(),
    );
    expect(left).toEqual({ n: 200, oldest: service.now + 7_200_000 + 101 });
  });

  it("lists apps with their place, and ends their access", async () => {
    const { cookie } = await newPerson();
    const pair = await world.tokens({ cookie });
    const [app] = (await list(cookie)).apps;
    expect(app).toMatchObject({ name: "Shelf App", place: "app.example", scopes: ["read", "shelves"] });
    await service.fetch(
      "/account/tokens/revoke",
      jsonOf({ id: (app as unknown as { id: string }).id }, cookie),
    );
    expect((await get("/account/loans.json", bearer(pair.access_token))).status).toBe(401);
    expect((await list(cookie)).apps).toEqual([]);
  });
});

describe("a token", () => {
  it("costs at most one call of the patron's object, and none within five seconds", async () => {
    const token = await makeToken(world.cookie, "read shelves");
    const calls = async (path: string, init: { headers?: Record<string, string> } & RequestInit = {}) => {
      const headers = { ...init.headers, ...bearer(token), "X-Carrel-Count": "1" };
      return (await service.fetch(path, { ...init, headers })).headers.get("X-Carrel-Calls");
    };
    service.now += 10_000;
    const put = { ...formOf({ bookshelf_id: "1" }), method: "POST" };
    const first = [await calls("/works/OL1W.json"), await calls("/works/OL1W.json")];
    service.now += 10_000;
    const shelved = [
      await calls("/works/OL1W/bookshelves.json", put),
      await calls("/works/OL1W/bookshelves.json", put),
    ];
    expect({ first, shelved }).toEqual({
      first: [expect.stringContaining("patron=1"), expect.not.stringContaining("patron")],
      shelved: [expect.stringContaining("patron=2"), expect.stringContaining("patron=1")],
    });
  });

  it("opens OPDS as a password, for clients that only know Basic", async () => {
    const token = await makeToken(world.cookie, "read");
    const answer = await get("/opds/shelves.json", { Authorization: `Basic ${btoa(`Victim:${token}`)}` });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Want to Read");
  });

  it("has a rate of its own beside that of the network", async () => {
    const token = await makeToken(world.cookie, "read");
    const limited = testService({ RATE_LIMIT_PER_MINUTE: "5" });
    limited.now = service.now;
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      const headers = { ...bearer(token), "CF-Connecting-IP": newAddress() };
      statuses.push((await limited.fetch("/works/OL1W.json", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("has half of the account's bytes", async () => {
    const { username, cookie } = await newPerson();
    const token = await makeToken(cookie, "shelves");
    const [grant] = (await list(cookie)).tokens;
    const budgets = [
      { limit: 10 * MIB, seconds: 3600 },
      { limit: 50 * MIB, seconds: 86_400 },
    ];
    const throttle = env.THROTTLE.getByName(`bytes of /people/${username} by ${grant?.id}`);
    expect(await throttle.spend(service.now, 10 * MIB - 1000, budgets)).toBe(0);
    // Small texts add up to 64 KiB before they are charged.
    const save = async (headers: Record<string, string>) => {
      const statuses = [];
      for (let count = 0; count < 5; count += 1) {
        const note = formOf({ notes: `${count} ${"long ".repeat(3000)}` }, headers);
        statuses.push((await service.fetch("/works/OL1W/notes.json", note)).status);
      }
      return statuses;
    };
    expect(await save(bearer(token))).toEqual([200, 200, 200, 200, 429]);
    expect(await save(cookie)).toEqual([200, 200, 200, 200, 200]);
  });

  it("is an event of the audit log if it was not used for a month", async () => {
    const { username, cookie } = await newPerson();
    const token = await makeToken(cookie, "read", "100");
    const resumed = async () =>
      (await listAudit(env.PATRONS, { subject: `/people/${username}`, event: "token-resumed" }, 10)).length;
    for (const days of [0, 20, 31]) {
      service.now += days * DAY;
      expect((await get("/account/loans.json", bearer(token))).status).toBe(200);
    }
    expect(await resumed()).toBe(1);
  });
});

describe("registrations of apps", () => {
  it("are deleted if nothing uses them", async () => {
    const { pruneClients } = await import("../../../src/worker/oauth/clients.ts");
    const { storesOf, systemSources } = await import("../../../src/worker/http/bindings.ts");
    const count = async () =>
      (await env.PATRONS.prepare("SELECT count(*) AS n FROM oauth_client").first<{ n: number }>())?.n;
    const before = await count();
    const now = () => service.now + 31 * DAY;
    await pruneClients({ stores: storesOf(env), sources: { ...systemSources, now } } as Parameters<
      typeof pruneClients
    >[0]);
    // One of them is used by the tests above.
    expect([before, await count()]).toEqual([2, 1]);
  });
});

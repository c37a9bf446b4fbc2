import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SYNC_DOCUMENTS_MAX } from "../../../src/durable/patron/sync.ts";
import { PASSWORD, account, cookieHeader, formOf, logIn } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const BASE = "/providers/kosync";
const DOCUMENT = "5880fa8e2e7941161994467023d5e334";
let cookie: { Cookie: string };
let key = "";

type Auth = { "x-auth-user": string; "x-auth-key": string };
/** As KOReader sends them: the MD5 digest of the password. */
const auth = (password = key, user = "Ann"): Auth => ({
  "x-auth-user": user,
  "x-auth-key": createHash("md5").update(password).digest("hex"),
});
const ACCEPT = { Accept: "application/vnd.koreader.v1+json" };
const get = (path: string, headers: Record<string, string> = auth()) =>
  service.fetch(BASE + path, { headers: { ...ACCEPT, ...headers } });
const put = (body: object, headers: Record<string, string> = auth()) =>
  service.fetch(`${BASE}/syncs/progress`, {
    method: "PUT",
    headers: { ...ACCEPT, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({
      document: DOCUMENT,
      progress: "/body/DocFragment[6]/body/div/p[43]",
      percentage: 0.42,
      device: "Kobo Clara",
      device_id: "B78EA04ACC3A453DBA220D720C0BE102",
      ...body,
    }),
  });
const make = async (headers = cookie, password = PASSWORD): Promise<Response> =>
  service.fetch("/account/sync-key", formOf({ password }, headers));

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe" }),
    author(2, { name: "Ann Roe" }),
    work(1, { title: "Slow rivers", authors: [1] }),
    work(2, { title: "Fast lakes", authors: [2] }),
  );
  await indexAll();
  await account(service, "Ann");
  cookie = cookieHeader(await logIn(service, "Ann"));
  key = (await (await make()).json<{ key: string }>()).key;
});

describe("/account/sync-key", () => {
  it("creates a key for the password, shows it once and stores no part of it", async () => {
    expect((await make(cookie, "wrong")).status).toBe(422);
    expect((await make(cookie, "")).status).toBe(422);
    const made = await (await make()).json();
    expect(made).toEqual({
      server: "https://books.example/providers/kosync",
      username: "Ann",
      key: expect.stringMatching(/^(?:[a-z\d]{4}-){5}[a-z\d]{4}$/),
    });
    const before = key;
    ({ key } = made as { key: string });
    expect([(await get("/users/auth", auth(before))).status, (await get("/users/auth")).status]).toEqual([
      401, 200,
    ]);
    const html = { ...cookie, Accept: "text/html" };
    const page = await (await service.fetch("/account/sync-key", { headers: html })).text();
    expect(page).toContain("https://books.example/providers/kosync");
    expect(page).not.toContain(key);
    const stored = JSON.stringify(await env.PATRON.getByName("ann").backup.read(null));
    expect(stored).toContain("sync_key");
    expect([stored.includes(key), stored.includes(auth()["x-auth-key"])]).toEqual([false, false]);
  });

  it("deletes the key", async () => {
    expect(
      await (await service.fetch("/account/sync-key", { method: "DELETE", headers: cookie })).json(),
    ).toEqual({
      status: "ok",
    });
    expect((await get("/users/auth")).status).toBe(401);
    const shown = await make({ ...cookie, Accept: "text/html" } as typeof cookie);
    key = /<code>((?:[a-z\d]{4}-){5}[a-z\d]{4})<\/code>/.exec(await shown.text())?.[1] ?? "";
    expect((await get("/users/auth")).status).toBe(200);
  });
});

describe("/providers/kosync", () => {
  it("refuses registrations, and logs in with the key", async () => {
    const body = JSON.stringify({ username: "new", password: "0123456789abcdef0123456789abcdef" });
    const headers = { ...ACCEPT, "Content-Type": "application/json" };
    const refused = await service.fetch(`${BASE}/users/create`, { method: "POST", headers, body });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: 2005, message: expect.stringContaining("https://books.example/account/create") },
    ]);
    expect(await (await get("/users/auth")).json()).toEqual({ authorized: "OK" });
    expect((await get("/users/auth", auth(key, "ANN"))).status).toBe(200);
  });

  it.each([
    ["a wrong key", auth.bind(undefined, "wrong", "Ann")],
    ["an unknown user", () => auth(key, "nobody")],
    ["the password of the account", () => auth(PASSWORD)],
    ["no headers", () => ({})],
  ])("answers %s with 401 on every path", async (_name, headers) => {
    const answers = [
      await get("/users/auth", headers()),
      await get(`/syncs/progress/${DOCUMENT}`, headers()),
      await put({}, headers()),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toEqual([401, { code: 2001, message: "Unauthorized" }]);
    }
  });

  it("returns the progress that arrived last", async () => {
    expect(await (await get(`/syncs/progress/${DOCUMENT}`)).json()).toEqual({});
    const stored = await put({});
    const timestamp = Math.floor(service.now / 1000);
    expect([stored.status, await stored.json()]).toEqual([200, { document: DOCUMENT, timestamp }]);
    service.now += 5000;
    // Older versions send a page as a number, and no device id.
    await put({ progress: 56, percentage: "0.22", device: "phone", device_id: undefined });
    expect(await (await get(`/syncs/progress/${DOCUMENT}`)).json()).toEqual({
      document: DOCUMENT,
      progress: "56",
      percentage: 0.22,
      device: "phone",
      timestamp: timestamp + 5,
    });
  });

  it.each([
    { document: "a:b" },
    { document: "" },
    { percentage: 1.5 },
    { percentage: "much" },
    { progress: "p".repeat(2001) },
    { device: "" },
    { document: undefined },
  ])("answers %o with 422", async (body) => {
    expect((await put(body)).status).toBe(422);
  });

  it("shows the progress on the page of the one book on a shelf with this title and author", async () => {
    const page = async (id: number) => {
      const found = await service.fetch(`/works/OL${id}W`, { headers: { ...cookie, Accept: "text/html" } });
      return (
        await service.fetch(found.headers.get("Location") ?? "", {
          headers: { ...cookie, Accept: "text/html" },
        })
      ).text();
    };
    const metadata = { filename: "rivers.epub", title: "Slow Rivers", authors: "Jane Doe\nAnother" };
    await put({ document: "d1", metadata, percentage: 0.5 });
    expect(await page(1)).not.toContain("On your e-reader");
    await service.fetch("/works/OL1W/bookshelves.json", formOf({ bookshelf_id: "2" }, cookie));
    await put({ document: "d1", metadata, percentage: 0.5 });
    expect(await page(1)).not.toContain("On your e-reader");
    // A document without a book is compared again after a day.
    service.now += 86_400_000;
    await put({ document: "d1", metadata, percentage: 0.6 });
    expect(await page(1)).toContain("On your e-reader: 60%");
    expect(await page(2)).not.toContain("On your e-reader");
    await put({ document: "d1", percentage: 0.7 });
    expect(await page(1)).toContain("On your e-reader: 70%");
    const rows = await (
      await service.fetch("/account/export.json?type=progress", { headers: cookie })
    ).json();
    expect(rows).toContainEqual({
      document: "d1",
      title: "Slow Rivers",
      authors: ["Jane Doe", "Another"],
      work_id: "OL1W",
      percentage: 0.7,
      progress: "/body/DocFragment[6]/body/div/p[43]",
      device: "Kobo Clara",
      updated_on: "2100-11-22 12:00:05",
    });
    await env.PATRON.getByName("ann").upkeep.moveWork({ from: 1, to: 2 });
    expect(await page(2)).toContain("On your e-reader: 70%");
  });

  it("keeps a limited number of documents, those of the last progress", async () => {
    const { sync } = env.PATRON.getByName("many");
    await sync.setKey("hash", 1);
    const entry = { progress: "1", percentage: 0, device: "d", deviceId: null, title: null, authors: null };
    for (let at = 0; at <= SYNC_DOCUMENTS_MAX; at += 1)
      await sync.write("hash", { ...entry, document: `d${at}` }, at);
    expect(await sync.documents()).toHaveLength(SYNC_DOCUMENTS_MAX);
    expect(await sync.read("hash", "d0")).toEqual({ found: null });
  });

  it("closes with the account, and forgets everything with it", async () => {
    const patron = env.PATRON.getByName("ann");
    await patron.bar(true);
    expect((await get("/users/auth")).status).toBe(401);
    await patron.bar(false);
    await patron.upkeep.seal();
    expect([(await get("/users/auth")).status, (await put({})).status]).toEqual([401, 401]);
    await patron.upkeep.erase();
    expect([await patron.sync.documents(), await patron.sync.keyTime()]).toEqual([[], undefined]);
  });

  it("limits wrong keys from an address", async () => {
    const from = { "CF-Connecting-IP": "198.51.100.7" };
    const statuses = [];
    for (let at = 0; at < 11; at += 1)
      statuses.push((await get("/users/auth", { ...auth("wrong"), ...from })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await get("/users/auth", { ...auth("wrong"), "CF-Connecting-IP": "198.51.100.8" })).status).toBe(
      401,
    );
  });
});

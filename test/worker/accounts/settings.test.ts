import { beforeAll, describe, expect, it } from "vitest";
import { cookiesOf, formOf, jsonOf, keySession, patronWithKey } from "../../support/worker/accounts.ts";
import { mainOf } from "../../support/worker/page-text.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };
type Cookie = { Cookie: string };
let jane: Cookie;

const sessionOf = (username: string): Promise<Cookie> => keySession(service, username);
const patron = (username: string): Promise<Cookie> => patronWithKey(service, username);
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch(path, { headers });
const isOpen = async (cookie: Cookie): Promise<boolean> =>
  (await get("/account/preferences.json", cookie)).status === 200;

beforeAll(async () => {
  jane = await patron("Jane");
});

describe("account pages", () => {
  const PAGES = [
    "/account",
    "/account/preferences",
    "/account/email",
    "/account/email/verify",
    "/account/password",
    "/account/preferences/change_password",
    "/account/notifications",
    "/account/privacy",
    "/account/sessions",
    "/account/api-key",
  ];

  it("/account links to existing pages, among them export and removal", async () => {
    const page = await (await get("/account", { ...jane, ...HTML })).text();
    const links = [...page.matchAll(/<li><a(?: class="chip")? href="(\/[^"]+)"/g)].map(
      ([, href = ""]) => href,
    );
    expect(links).toEqual(expect.arrayContaining(["/account/import", "/account/remove"]));
    expect(page).toContain('action="/account/logout"');
    for (const link of links) expect([200, 303]).toContain((await get(link, { ...jane, ...HTML })).status);
  });

  it.each(PAGES)("%s needs a session, and redirects to the login without one", async (path) => {
    const page = await get(path, { ...jane, ...HTML });
    expect(page.status).toBe(200);
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const text = await page.text();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    for (const accept of ["text/html", "*/*"]) {
      const response = await get(`${path}?a=b`, { Accept: accept });
      expect(response.status).toBe(303);
      const target = encodeURIComponent(`${path}?a=b`);
      expect(response.headers.get("Location")).toBe(`/account/login?redirect=${target}`);
    }
  });

  it("the login page keeps a redirect within the site only", async () => {
    expect(await (await get("/account/login?redirect=/account%3Fa%3D%22")).text()).toContain(
      'value="/account?a=&quot;"',
    );
    expect(mainOf(await (await get("/account/login?redirect=//evil.example")).text())).not.toContain("evil");
  });

  it.each(["/account/privacy", "/account/email", "/account/password", "/account/api-key"])(
    "POST %s answers 401 without a session, and redirects browsers to the login",
    async (path) => {
      expect((await service.fetch(path, formOf({}))).status).toBe(401);
      expect((await service.fetch(path, formOf({}, HTML))).headers.get("Location")).toContain(
        "/account/login",
      );
    },
  );

  it.each([
    ["/account/lists", "/people/Jane/lists"],
    ["/account/lists/add", "/people/Jane/lists/add"],
    ["/account/books", "/people/Jane/books"],
    ["/account/books/already-read", "/people/Jane/books/already-read"],
    ["/account/books/already-read/year/2026?page=1", "/people/Jane/books/already-read/year/2026"],
    ["/account/books/want-to-read?page=3", "/people/Jane/books/want-to-read?page=3"],
    ["/account/books/want-to-read?page=x", "/people/Jane/books/want-to-read"],
    ["/account/waitlist", "/account/loans"],
  ])("%s redirects to %s", async (path, location) => {
    const response = await get(path, jane);
    expect([response.status, response.headers.get("Location")]).toEqual([303, location]);
  });
});

describe("preferences", () => {
  it("have defaults, and are changed one by one", async () => {
    const cookie = await patron("Chooser");
    const none = { public_readlog: "no", safe_mode: "", updates: "no" };
    expect(await (await get("/account/preferences.json", cookie)).json()).toEqual(none);
    const changed = await service.fetch("/account/preferences.json", jsonOf({ safe_mode: "yes" }, cookie));
    expect(await changed.json()).toEqual({ ...none, safe_mode: "yes" });
    expect(cookiesOf(changed)["sfw"]).toMatch(/^yes;/);
    const again = await service.fetch(
      "/account/preferences.json",
      jsonOf({ safe_mode: "no", yrg_banner_pref: "yrg26" }, cookie),
    );
    expect(await again.json()).toEqual({ ...none, safe_mode: "no", yrg_banner_pref: "yrg26" });
    expect(cookiesOf(again)["sfw"]).toContain("Max-Age=0");
  });

  it.each([
    [{ color: "red" }, "extra_forbidden", "color"],
    [{ _rev: "1" }, "extra_forbidden", "_rev"],
    [{ toString: "1" }, "extra_forbidden", "toString"],
    [{ rpd: "2" }, "extra_forbidden", "rpd"],
    [{ updates: "maybe" }, "literal_error", "updates"],
    [{ updates: true }, "literal_error", "updates"],
    [{ yrg_banner_pref: "session" }, "string_pattern_mismatch", "yrg_banner_pref"],
  ])("refuse %j: %s", async (changes, type, name) => {
    const response = await service.fetch("/account/preferences.json", jsonOf(changes, jane));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type, loc: ["body", name] }] });
  });

  it("are saved whole by the forms of the pages", async () => {
    const cookie = await patron("Former");
    const privacy = await service.fetch(
      "/account/privacy",
      formOf({ public_readlog: "yes", safe_mode: "yes" }, cookie),
    );
    expect([privacy.status, privacy.headers.get("Location")]).toEqual([303, "/account"]);
    expect(cookiesOf(privacy)["sfw"]).toMatch(/^yes;/);
    await service.fetch("/account/notifications", formOf({ updates: "yes", other: "yes" }, cookie));
    const all = { public_readlog: "yes", safe_mode: "yes", updates: "yes" };
    expect(await (await get("/account/preferences.json", cookie)).json()).toEqual(all);
    const cleared = await service.fetch("/account/privacy", formOf({}, cookie));
    expect(cookiesOf(cleared)["sfw"]).toContain("Max-Age=0");
    expect((await service.fetch("/account/privacy", formOf({ safe_mode: "perhaps" }, cookie))).status).toBe(
      422,
    );
  });

  it("of a patron are readable for the patron and administrators only", async () => {
    const admin = await patron("Boss");
    await service.load({
      key: "/usergroup/admin",
      type: "/type/usergroup",
      members: [{ key: "/people/Boss" }],
    });
    const other = await patron("Other");
    for (const path of ["/people/Jane/preferences.json", "/people/jane/preferences"]) {
      expect((await get(path)).status).toBe(401);
      expect((await get(path, other)).status).toBe(403);
      expect((await get(path, jane)).status).toBe(200);
      expect(await (await get(path, admin)).json()).toMatchObject({ public_readlog: "no" });
    }
    expect((await get("/people/nobody/preferences.json", admin)).status).toBe(404);
  });

  it("/account leads only members of groups to their pages", async () => {
    for (const group of ["admin", "librarians"]) {
      const members = [{ key: `/people/${group}_one` }];
      await service.load({ key: `/usergroup/${group}`, type: "/type/usergroup", members });
    }
    const linksOf = async (name: string) => {
      const page = await (await get("/account", { ...(await patron(name)), ...HTML })).text();
      return ["/merges", "/import/batch/new", "/admin"].filter((path) => page.includes(`href="${path}"`));
    };
    expect(await linksOf("plain_one")).toEqual([]);
    expect(await linksOf("librarians_one")).toEqual(["/merges", "/import/batch/new"]);
    expect(await linksOf("admin_one")).toEqual(["/merges", "/import/batch/new", "/admin"]);
  });
});

describe("sessions", () => {
  interface Listed {
    sessions: { id: string; current: boolean }[];
  }

  it("end when another account logs in from the same browser", async () => {
    const [hers, elsewhere] = [await patron("Sister"), await sessionOf("Sister")];
    const logIn = (keys: object): Promise<Response> => service.fetch("/account/login", jsonOf(keys, hers));
    expect((await logIn({ access: "Jane-key", secret: "wrong" })).status).toBe(400);
    expect(await isOpen(hers)).toBe(true);
    expect((await logIn({ access: "Jane-key", secret: "Jane" })).status).toBe(200);
    expect([await isOpen(hers), await isOpen(elsewhere)]).toEqual([false, true]);
  });

  it("are listed, and ended one by one or all others at once", async () => {
    const first = await patron("Traveller");
    const [second, third] = [await sessionOf("Traveller"), await sessionOf("Traveller")];
    const { sessions } = await (await get("/account/sessions.json", first)).json<Listed>();
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const seenBySecond = await (await get("/account/sessions.json", second)).json<Listed>();
    const own = seenBySecond.sessions.find(({ current }) => current);
    const ended = await service.fetch("/account/sessions", formOf({ id: own?.id ?? "" }, first));
    expect((await ended.json<Listed>()).sessions).toHaveLength(2);
    expect([await isOpen(first), await isOpen(second), await isOpen(third)]).toEqual([true, false, true]);
    const page = await service.fetch("/account/sessions", formOf({ others: "true" }, { ...first, ...HTML }));
    expect([page.status, page.headers.get("Location")]).toEqual([303, "/account/sessions"]);
    expect([await isOpen(first), await isOpen(third)]).toEqual([true, false]);
    await service.fetch("/account/sessions", formOf({ id: own?.id ?? "", others: "false" }, jane));
    expect(await isOpen(first)).toBe(true);
  });
});

describe("with another identity provider", () => {
  const elsewhere = testService({
    IDENTITY_PROVIDER: "xauth",
    XAUTH_URL: "https://id.example/x",
    XAUTH_KEY_URL: "https://id.example/k",
  });
  elsewhere.now = service.now;

  it.each([
    ["GET", "/account/email", "settings=1"],
    ["POST", "/account/email", "settings=1"],
    ["GET", "/account/password", "settings=1"],
    ["POST", "/account/password", "settings=1"],
    ["GET", "/account/password/forgot", "forgot-password"],
    ["POST", "/account/password/forgot", "forgot-password"],
    ["GET", "/account/password/reset/0123", "forgot-password"],
    ["POST", "/account/password/reset/0123", "forgot-password"],
    ["GET", "/account/email/verify/0123", "settings=1"],
    ["POST", "/account/email/verify/0123", "settings=1"],
  ])("%s %s redirects to its pages", async (method, path, text) => {
    const response = await elsewhere.fetch(path, { method, headers: jane });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toMatch(/^https:\/\/archive\.org\/account\//);
    expect(response.headers.get("Location")).toContain(text);
  });
});

describe("GET /account/test.json, /account/optional.json and /account/protected.json", () => {
  it("report how the cookie is read", async () => {
    const name = /session=([^;]+)/.exec(jane.Cookie)?.[1] ?? "";
    const parts = decodeURIComponent(name).split(",");
    expect(await (await get("/account/test.json", jane)).json()).toEqual({
      username: "Jane",
      user_key: "/people/Jane",
      timestamp: "2100-11-21T12:00:00",
      is_authenticated: true,
      error: null,
      cookie_name: "session",
      cookie_value: `${name.slice(0, 50)}...`,
      cookie_parsed: {
        raw_decoded: decodeURIComponent(name),
        parts,
        num_parts: 3,
        user_key: parts[0],
        timestamp: parts[1],
        hash: parts[2],
      },
    });
  });

  it("greet the user", async () => {
    const greeting = { message: "Hello Jane!", user_key: "/people/Jane", timestamp: "2100-11-21T12:00:00" };
    expect(await (await get("/account/protected.json", jane)).json()).toEqual(greeting);
    expect(await (await get("/account/optional.json", jane)).json()).toEqual({
      ...greeting,
      is_authenticated: true,
    });
  });

  it("answer 404 in production", async () => {
    const deployed = testService({ ENVIRONMENT: "production" });
    deployed.now = service.now;
    for (const name of ["test", "protected", "optional"]) {
      const response = await deployed.fetch(`/account/${name}.json`, { headers: jane });
      expect(response.status).toBe(404);
    }
  });
});

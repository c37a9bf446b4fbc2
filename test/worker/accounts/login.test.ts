import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/db/accounts/write-secrets.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { LOGIN_FAILURES } from "../../../src/worker/accounts/budgets.ts";
import { createApp } from "../../../src/worker/app.ts";
import { ACCOUNT_BODY_BYTES } from "../../../src/worker/accounts/account-form.ts";
import {
  PASSWORD,
  account,
  cookieHeader,
  cookiesOf,
  formOf,
  jsonOf,
  logIn,
  newAddress,
} from "../../support/worker/accounts.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const KEYS = { access: "jane-access", secret: "jane-secret" };
/** The form with keys: no password has to be hashed. */
const byKeys = (
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> => service.fetch("/account/login", formOf({ ...KEYS, ...fields }, headers));
const JSON_OK = { status: "ok", username: "Jane", key: "/people/Jane" };

beforeAll(async () => {
  await account(service, "Jane");
  await createApiKey(env.PATRONS, { ...KEYS, username: "Jane", created: "2026-11-21T12:00:00.000000" });
});

describe("POST /account/login with a form", () => {
  it("redirects and sets the cookies", async () => {
    const response = await logIn(service, "jane", { redirect: "/books" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/books");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const cookies = cookiesOf(response);
    expect(cookies["session"]).toMatch(
      /^\/people\/Jane%2C2100-11-21T12%3A00%3A00%2C\w{6}\.[\w-]{22}%24[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies["pd"]).toContain("Max-Age=0");
    expect(cookies["sfw"]).toContain("Max-Age=0");
    expect(cookies["pending_action"]).toContain("Max-Age=0");
    const me = await service.fetch("/account/test.json", { headers: cookieHeader(response) });
    expect(await me.json()).toMatchObject({
      username: "Jane",
      user_key: "/people/Jane",
      is_authenticated: true,
    });
  });

  it.each([
    ["http://evil.com", "/", false],
    ["/a b/é", "/a%20b/%C3%A9", true],
  ])("redirects %j to %s", async (redirect, location, isValid) => {
    const response = await byKeys({ redirect });
    expect(response.headers.get("Location")).toBe(location);
    expect("pending_action" in cookiesOf(response)).toBe(isValid);
  });

  it.each([
    ["on", 31_536_000],
    ["1", 31_536_000],
    ["false", undefined],
  ])("with remember=%s lasts %s seconds", async (remember, seconds) => {
    const session = cookiesOf(await byKeys({ remember }))["session"] ?? "";
    expect(/Max-Age=(\d+)/.exec(session)?.[1]).toBe(seconds === undefined ? undefined : String(seconds));
  });

  it("over https sets secure cookies", async () => {
    const request = new Request("https://carrel.test/account/login", {
      ...formOf(KEYS),
      redirect: "manual",
    });
    const context = createExecutionContext();
    const response = await createApp("OL").fetch(request, { ...env, EDGE_CACHE: "off" }, context);
    await waitOnExecutionContext(context);
    expect(cookiesOf(response)["session"]).toContain("/people/Jane%2C");
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toContain("; Secure");
  });

  it("takes keys in headers", async () => {
    const headers = { "X-S3-Access": KEYS.access, "X-S3-Secret": KEYS.secret };
    const response = await service.fetch("/account/login", formOf({}, headers));
    expect(cookiesOf(response)["session"]).toContain("/people/Jane%2C");
  });

  it("deletes pd unless the provider grants access, and stores the registration's request", async () => {
    const response = await byKeys({}, { Cookie: "pda=vermont_nls" });
    expect(cookiesOf(response)["pda"]).toContain("Max-Age=0");
    expect(await env.PATRON.getByName("jane").preferences()).toEqual({ pda: "vermont_nls", rpd: "0" });
  });

  it("sets the cookies of preferences", async () => {
    await env.PATRON.getByName("jane").setPreferences({ safe_mode: "yes", yrg_banner_pref: "yrg26" });
    const cookies = cookiesOf(await byKeys({ remember: "true" }));
    expect(cookies["sfw"]).toBe("yes; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    expect(cookies["yrg26"]).toContain("1; Path=/; Max-Age=31536000");
  });
});

describe("POST /account/login: failures", () => {
  beforeAll(async () => {
    for (const [username, status] of [
      ["Pending", "pending"],
      ["Blocked", "blocked"],
    ] as const) {
      await account(service, username);
      await setAccount(env.PATRONS, username, { status });
    }
  });

  it.each([
    ["not-an-address", PASSWORD, "invalid_email"],
    ["nobody@example.com", PASSWORD, "account_not_found"],
    ["jane@example.com", "wrong", "account_bad_password"],
    ["jane@example.com", "", "account_bad_password"],
    ["pending@example.com", PASSWORD, "account_not_verified"],
    ["pending@example.com", "wrong", "account_bad_password"],
    ["blocked@example.com", PASSWORD, "account_blocked"],
  ])("refuses %s with %j: %s", async (username, password, error) => {
    const response = await service.fetch("/account/login", formOf({ username, password }));
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    const body = await response.json<Record<string, string>>();
    expect(body).toEqual({ detail: body["detail"], error, errorDisplayString: body["detail"] });
    expect(body["detail"]).toMatch(/\w.*\./);
  });

  it("reports missing fields, and repeats no password", async () => {
    const response = await service.fetch(
      "/account/login",
      formOf({ password: "hunter22", remember: "perhaps" }),
    );
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).not.toContain("hunter22");
    expect(JSON.parse(text)).toEqual({
      detail: [
        { type: "missing", loc: ["body", "username"], msg: "Field required" },
        {
          type: "bool_parsing",
          loc: ["body", "remember"],
          msg: "Input should be a valid boolean, unable to interpret input",
          input: "perhaps",
        },
      ],
    });
    const empty = await service.json("/account/login", formOf({}));
    expect(empty).toMatchObject({ detail: [{ loc: ["body", "username"] }, { loc: ["body", "password"] }] });
  });

  it("shows the form again in a browser", async () => {
    const html = { Accept: "text/html,*/*;q=0.8" };
    const fields = { username: 'a"><script>@example.com', password: "hunter22", redirect: "/books" };
    const response = await service.fetch("/account/login", formOf(fields, html));
    expect(response.status).toBe(400);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('value="a&quot;&gt;&lt;script&gt;@example.com"');
    expect(page).toContain('name="redirect" value="/books"');
    expect(page).not.toContain("hunter22");
  });

  it("refuses a body that is too large", async () => {
    const init = formOf({ username: "a".repeat(ACCOUNT_BODY_BYTES), password: "a" });
    expect((await service.fetch("/account/login", init)).status).toBe(413);
  });
});

describe("POST /account/login with JSON", () => {
  it.each([
    ["keys, with a charset", "/account/login", KEYS, "application/json; charset=utf-8"],
    ["keys and test", "/account/login", { ...KEYS, test: true }, "application/json"],
    ["a username", "/account/login", { username: "jAnE", password: PASSWORD }, "application/json"],
    [
      "an address",
      "/account/login",
      { username: "jane@example.com", password: PASSWORD },
      "application/json",
    ],
    ["keys as text", "/account/login.json", KEYS, "text/plain"],
    [
      "a username under a form's type",
      "/account/login.json",
      { username: "Jane", password: PASSWORD },
      "application/x-www-form-urlencoded",
    ],
  ])("logs in by %s", async (_name, path, body, type) => {
    const response = await service.fetch(path, jsonOf(body, { "Content-Type": type }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(JSON_OK);
    const { session } = cookiesOf(response);
    expect(session).toContain("/people/Jane%2C");
    expect(session).not.toContain("Max-Age");
  });

  it.each([
    [{ access: "jane-access", secret: "other" }, "invalid_s3keys"],
    [{ username: "Jane", password: "wrong" }, "account_bad_password"],
    [{ username: "nobody", password: PASSWORD }, "account_not_found"],
    [{ username: "Jane" }, "missing_fields"],
    [{ access: "jane-access" }, "missing_fields"],
    [{ username: 1, password: 2 }, "missing_fields"],
    [[], "missing_fields"],
  ])("refuses %j: %s", async (body, error) => {
    const response = await service.fetch("/account/login.json", jsonOf(body));
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    const answer = await response.json<Record<string, string>>();
    expect(answer).toEqual({ detail: answer["detail"], error, errorDisplayString: answer["detail"] });
  });

  it("refuses invalid JSON", async () => {
    const broken = { ...jsonOf({}), body: "{" };
    expect((await service.fetch("/account/login.json", broken)).status).toBe(400);
    expect((await service.fetch("/account/login", broken)).status).toBe(422);
  });
});

describe("failed logins", () => {
  const by = (fields: Record<string, string>, address: string): Promise<Response> =>
    service.fetch("/account/login", formOf(fields, { "CF-Connecting-IP": address }));
  const stranger = (name: string, address: string): Promise<Response> =>
    by({ username: `${name}@example.com`, password: "wrong" }, address);

  it("of one name are counted exactly, many at a time and from everywhere", async () => {
    await account(service, "target");
    const answers = await Promise.all(Array.from({ length: 20 }, () => stranger("target", newAddress())));
    const { length } = answers.filter(({ status }) => status === 400);
    const refused = answers.filter(({ status }) => status === 429);
    expect([length, refused.length]).toEqual([LOGIN_FAILURES.limit, 20 - LOGIN_FAILURES.limit]);
    expect(refused[0]?.headers.get("Retry-After")).toBe(String(LOGIN_FAILURES.seconds));
    expect(await refused[0]?.json()).toMatchObject({ status: 429 });
    // The right password is refused, too, until the time is over.
    const right = (): Promise<Response> =>
      by({ username: "TARGET@example.com", password: PASSWORD }, newAddress());
    expect((await right()).status).toBe(429);
    service.now += LOGIN_FAILURES.seconds * 1000;
    expect((await right()).status).toBe(303);
  });

  it("from one address are counted exactly for any names", async () => {
    const address = newAddress();
    const many = Array.from({ length: 15 }, (_, index) => stranger(`nobody${index}`, address));
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(LOGIN_FAILURES.limit);
    expect((await by(KEYS, address)).status).toBe(429);
    expect((await by(KEYS, newAddress())).status).toBe(303);
  });

  it("are counted by name alone where the client's address is unknown", async () => {
    for (let turn = 0; turn <= LOGIN_FAILURES.limit; turn += 1) {
      const body = new URLSearchParams({ username: `neighbour${turn}@example.com`, password: "wrong" });
      expect((await service.fetch("/account/login", { method: "POST", body })).status).toBe(400);
    }
  });

  it("do not include successful ones", async () => {
    const address = newAddress();
    const many = await Promise.all(Array.from({ length: 25 }, () => by(KEYS, address)));
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 303));
    for (let turn = 0; turn < LOGIN_FAILURES.limit; turn += 1) {
      expect((await by({ ...KEYS, secret: "wrong" }, address)).status).toBe(400);
    }
    expect((await by(KEYS, address)).status).toBe(429);
  });
});

describe("cross-site requests", () => {
  it.each([
    ["no header", {}, 303],
    ["our own origin", { Origin: ORIGIN }, 303],
    ["another origin", { Origin: "https://evil.example" }, 403],
    ["an opaque origin", { Origin: "null" }, 403],
    ["a page of the service", { "Sec-Fetch-Site": "same-origin", Origin: ORIGIN }, 303],
    ["a typed address", { "Sec-Fetch-Site": "none" }, 303],
    ["a page of another site", { "Sec-Fetch-Site": "cross-site", Origin: ORIGIN }, 403],
    ["a page of a sibling site", { "Sec-Fetch-Site": "same-site", Origin: "https://wiki.carrel.test" }, 403],
    ["a page of a sibling site without an origin", { "Sec-Fetch-Site": "same-site" }, 403],
    ["a page of the service at an alias", { "Sec-Fetch-Site": "same-site", Origin: ORIGIN }, 303],
    ["a configured origin", { "Sec-Fetch-Site": "cross-site", Origin: "https://archive.example" }, 303],
  ])("with %s: %s", async (_name, headers: Record<string, string>, status) => {
    const open = testService({ LOGIN_ORIGINS: "https://archive.example" });
    const init = formOf(KEYS, headers);
    const response = await open.fetch("/account/login", init);
    expect(response.status).toBe(status);
    if (status === 403) {
      expect(await response.json()).toEqual({ detail: "Cross-site request refused" });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it("are refused however the path is spelled", async () => {
    const response = await service.fetch(
      "/%61ccount/log%69n.json",
      jsonOf(KEYS, { Origin: "https://evil.example" }),
    );
    expect(response.status).toBe(403);
  });

  it("with a session are refused except for GET", async () => {
    const cookie = cookieHeader(await byKeys());
    const headers = { ...cookie, Origin: "https://evil.example" };
    for (const path of ["/account/logout", "/account/privacy", "/account/api-key", "/works/OL1W.json"]) {
      const response = await service.fetch(path, { method: "POST", headers });
      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await service.fetch("/account", { headers })).status).toBe(200);
  });

  it("may read the response of a login only from configured origins", async () => {
    const open = testService({ LOGIN_ORIGINS: "https://archive.example" });
    const allowed = await open.fetch(
      "/account/login.json",
      jsonOf(KEYS, { Origin: "https://archive.example" }),
    );
    expect(allowed.headers.get("Access-Control-Allow-Origin")).toBe("https://archive.example");
    expect(allowed.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    const own = await open.fetch("/account/login.json", jsonOf(KEYS, { Origin: ORIGIN }));
    expect(own.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });
});

describe("sessions", () => {
  const whoami = async (headers: Record<string, string>): Promise<unknown> => {
    const answer = await service.json("/account/optional.json", { headers });
    return (answer as { is_authenticated: boolean }).is_authenticated;
  };

  it("get a new id at every login, which ends the old one", async () => {
    const first = cookieHeader(await byKeys());
    const second = cookieHeader(await byKeys({}, first));
    expect(second).not.toEqual(first);
    expect(await whoami(second)).toBe(true);
    expect(await whoami(first)).toBe(false);
    const forged = { Cookie: first.Cookie.replace("/people/Jane", "/people/openlibrary") };
    expect(await whoami(forged)).toBe(false);
  });

  it("end with the logout, also on the server", async () => {
    const cookie = cookieHeader(await byKeys());
    const other = cookieHeader(await byKeys());
    const response = await service.fetch("/account/logout", { method: "POST", headers: cookie });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    const cookies = cookiesOf(response);
    for (const name of ["session", "pd", "sfw"]) expect(cookies[name]).toMatch(/^; Path=\/; Max-Age=0;/);
    expect(await whoami(cookie)).toBe(false);
    expect(await whoami(other)).toBe(true);
    expect((await service.fetch("/account/logout", { method: "POST" })).status).toBe(303);
    const get = await service.fetch("/account/logout", { headers: other });
    expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("lose an invalid cookie", async () => {
    const headers = { Cookie: "session=/people/Jane%2C2026-01-01T00%3A00%3A00%2Cabcde%24forged" };
    const response = await service.fetch("/account/preferences.json", { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe("Session");
    expect(await response.json()).toEqual({ detail: "Authentication required" });
    expect(cookiesOf(response)["session"]).toContain("Max-Age=0");
  });
});

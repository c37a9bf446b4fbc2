import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/db/accounts/write-secrets.ts";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { TIME, testService } from "../../support/worker/service.ts";
import { PASSWORD, account, cookieHeader, cookiesOf, formOf, jsonOf } from "../../support/worker/accounts.ts";
import { ISSUER, REDIRECT_LOGIN, fakeIssuer } from "../../support/worker/issuer.ts";

const service = testService(REDIRECT_LOGIN);
// Far from the real clock, by which the alarms of budgets run. Each test asks the issuer anew.
service.now = Date.parse("2100-11-21T12:00:00Z");
const issuer = fakeIssuer(service);
const HTML = { Accept: "text/html" };
const get = (path: string, headers: Record<string, string> = {}) => service.fetch(path, { headers });

let people = 0;

beforeAll(() => service.load({ key: "/usergroup/everyone", type: "/type/usergroup" }));
beforeEach(async () => {
  service.now += 4_000_000;
  issuer.exchanged.length = 0;
  issuer.name = `Reader${(people += 1)}`;
  await issuer.answer();
});

/** Returns status and code of a refusal, or status and target of a redirect. */
async function outcome(response: Response): Promise<string> {
  const { status, headers } = response;
  if (status === 303) return `303 ${headers.get("Location")}`;
  const body = await response.json<{ error?: string; detail?: string }>();
  return `${status} ${body.error ?? body.detail}`;
}

const owner = async (response: Response): Promise<string | undefined> =>
  /\/people\/(\w+)/.exec(cookiesOf(response)["session"] ?? "")?.[1];

describe("a login at the issuer", () => {
  it("sends the browser there with PKCE, state and nonce, and logs it in when it comes back", async () => {
    const { response, parameters, cookie } = await issuer.start({ redirect: "/works/OL1W?a=b" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toMatch(/^https:\/\/login\.example\/authorize\?/);
    expect(parameters).toEqual({
      client_id: "carrel",
      redirect_uri: "http://carrel.test/account/login/oidc/callback",
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(Object.values(cookiesOf(response)).join()).toMatch(/; Max-Age=900; HttpOnly; SameSite=Lax/);
    const answer = await issuer.back(issuer.approve(parameters), cookie);
    expect(await outcome(answer)).toBe("303 /works/OL1W?a=b");
    expect(await owner(answer)).toBe(issuer.name);
    expect(await findAccount(env.PATRONS, { username: issuer.name })).toMatchObject({
      email: `${issuer.name.toLowerCase()}@example.com`,
      subject: `${ISSUER}#sub-${issuer.name}`,
      displayname: `${issuer.name} B.`,
    });
    expect(issuer.exchanged).toEqual([
      {
        grant_type: "authorization_code",
        code: expect.any(String),
        redirect_uri: parameters["redirect_uri"],
        code_verifier: expect.any(String),
      },
    ]);
    expect((await get("/account/sessions.json", cookieHeader(answer))).status).toBe(200);
    const events = await env.PATRONS.prepare("SELECT event FROM audit ORDER BY id DESC LIMIT 1").first();
    expect(events).toEqual({ event: "login" });
  });

  it.each([
    [{}, "303 /", undefined],
    [{ redirect: "https://evil.example/" }, "303 /", undefined],
    [{ redirect: "//evil.example" }, "303 /", undefined],
    [{ redirect: "/account/login?redirect=/a" }, "303 /", undefined],
    [{ redir_url: "/a" }, "303 /a", undefined],
    [{ redirect: `/${"ü".repeat(1999)}` }, "303 /", undefined],
    [{ remember: "true" }, "303 /", "Max-Age=31536000"],
  ] as const)("with %j leads to %s", async (fields, expected, lifetime) => {
    const answer = await issuer.logIn(fields);
    expect(await outcome(answer)).toBe(expected);
    expect(/Max-Age=\d+/.exec(cookiesOf(answer)["session"] ?? "")?.[0]).toBe(lifetime);
  });

  it("finishes logins of two tabs, in any order", async () => {
    const first = await issuer.start({ redirect: "/first" });
    const second = await issuer.start({ redirect: "/second" }, first.cookie);
    const both = { Cookie: `${first.cookie.Cookie}; ${second.cookie.Cookie}` };
    expect(await outcome(await issuer.back(issuer.approve(second.parameters), both))).toBe("303 /second");
    expect(await outcome(await issuer.back(issuer.approve(first.parameters), both))).toBe("303 /first");
  });

  it("forgets open logins beyond five in a browser", async () => {
    const names = Array.from({ length: 5 }, (_, index) => `oidc-${index}=x`).join("; ");
    const { response } = await issuer.start({}, { Cookie: names });
    expect(response.headers.getSetCookie().filter((text) => text.includes("Max-Age=0"))).toHaveLength(5);
  });

  it("asks for description and keys of the issuer once", async () => {
    await issuer.logIn();
    await issuer.logIn();
    expect(issuer.asked.filter((url) => /keys|configuration/.test(url))).toHaveLength(2);
  });

  it.each([
    [{ IDENTITY_PROVIDER: "local" }, "404 Not Found"],
    [{ OIDC_FLOW: "password" }, "404 Not Found"],
    [{ OIDC_CLIENT_ID: "" }, "503 Not configured on this server: OIDC_CLIENT_ID"],
    [{ SESSION_SECRET: undefined }, "503 Login isn’t available right now."],
  ])("with the settings %j is %s", async (settings, expected) => {
    const other = testService({ ...REDIRECT_LOGIN, ...settings } as Partial<Cloudflare.Env>);
    other.now = service.now;
    expect(await outcome(await other.fetch("/account/login/oidc", formOf({})))).toBe(expected);
  });
});

describe("refused logins at the issuer", () => {
  type Started = Awaited<ReturnType<typeof issuer.start>>;
  type Row = readonly [
    title: string,
    deviation: Parameters<typeof issuer.answer>[0],
    run: (started: Started) => Promise<Response>,
    expected: string,
  ];
  const usual = ({ parameters, cookie }: Started) => issuer.back(issuer.approve(parameters), cookie);
  const answering =
    (change: Record<string, string>) =>
    ({ parameters, cookie }: Started) =>
      issuer.back({ ...issuer.approve(parameters), ...change }, cookie);
  const failing = (path: string, response: () => Response) => ({
    answers: { [`${ISSUER}/${path}`]: response },
  });
  const oauthError = (error: string) => () => Response.json({ error }, { status: 400 });

  it.each<Row>([
    ["no cookie", {}, ({ parameters }) => issuer.back(issuer.approve(parameters), {}), "400 login_expired"],
    ["no state", {}, answering({ state: "" }), "400 login_expired"],
    ["foreign state", {}, answering({ state: "x".repeat(43) }), "400 login_expired"],
    [
      "another state beside its cookie",
      {},
      ({ parameters, cookie }) =>
        issuer.back(
          { ...issuer.approve(parameters), state: `${parameters["state"]?.slice(0, 10)}${"x".repeat(33)}` },
          cookie,
        ),
      "400 login_expired",
    ],
    [
      "forged cookie",
      {},
      ({ parameters, cookie }) =>
        issuer.back(issuer.approve(parameters), { Cookie: cookie.Cookie.replace(/\.[\w-]{3}/, ".AAA") }),
      "400 login_expired",
    ],
    [
      "used twice",
      {},
      async (started) => {
        await usual(started);
        return usual(started);
      },
      "400 login_expired",
    ],
    [
      "expired",
      {},
      (started) => {
        service.now += 900_000;
        return usual(started);
      },
      "400 login_expired",
    ],
    ["unknown code", {}, answering({ code: "nonsense" }), "400 login_expired"],
    [
      "no code",
      {},
      ({ parameters, cookie }) => issuer.back({ state: parameters["state"]!, iss: ISSUER }, cookie),
      "400 login_answer",
    ],
    ["refused by the user", {}, answering({ error: "access_denied" }), "400 login_refused"],
    ["out of order", {}, answering({ error: "server_error" }), "400 request_timeout"],
    ["another issuer answers", {}, answering({ iss: "https://evil.example" }), "400 login_answer"],
    ["the issuer is not named", {}, answering({ iss: "" }), "400 login_answer"],
    ["wrong nonce", { token: { nonce: "other" } }, usual, "400 login_answer"],
    ["no nonce", { token: { nonce: undefined } }, usual, "400 login_answer"],
    ["token of another issuer", { token: { iss: "https://evil.example" } }, usual, "400 login_answer"],
    ["token for another client", { token: { aud: "other" } }, usual, "400 login_answer"],
    ["token that has expired", { token: { exp: 1 } }, usual, "400 login_answer"],
    ["wrong signature", { signsWrongly: true }, usual, "400 login_answer"],
    ["user of another token", { user: { sub: "1" }, token: { sub: "2" } }, usual, "400 login_answer"],
    ["wrong client secret", failing("token", oauthError("invalid_client")), usual, "400 security_error"],
    [
      "no answer",
      failing("token", () => {
        throw new TypeError("Network connection lost.");
      }),
      usual,
      "400 undefined_error",
    ],
    ["no JSON", failing("token", () => new Response("<html>")), usual, "400 login_answer"],
    [
      "redirect",
      failing("user", () => Response.redirect("https://evil.example/", 302)),
      usual,
      "400 login_answer",
    ],
    ["no email address", { user: { email: undefined } }, usual, "400 login_no_email"],
    ["not an email address", { user: { email: "joe" } }, usual, "400 login_no_email"],
    ["unconfirmed email address", { user: { email_verified: false } }, usual, "400 login_unverified"],
    [
      "HEAD",
      {},
      ({ parameters, cookie }) =>
        issuer
          .back(issuer.approve(parameters), cookie, { method: "HEAD" })
          .then(({ status }) => Response.json({ error: "HEAD" }, { status })),
      "400 HEAD",
    ],
  ])("%s", async (_title, deviation, run, expected) => {
    await issuer.answer(deviation);
    const response = await run(await issuer.start());
    expect(await outcome(response.clone())).toBe(expected);
    expect(await owner(response)).toBeUndefined();
  });

  it.each([
    ["another issuer", { issuer: "https://evil.example" }, "security_error"],
    ["no page for logins", { authorization_endpoint: undefined }, "security_error"],
    ["tokens in plain text", { token_endpoint: "http://login.example/token" }, "security_error"],
    ["no keys", { jwks_uri: undefined }, "security_error"],
  ])("start at no issuer that describes %s", async (_title, metadata, expected) => {
    await issuer.answer({ metadata });
    expect(await outcome((await issuer.start()).response)).toBe(`400 ${expected}`);
  });

  it("gives an unconfirmed address no account that has it", async () => {
    await account(service, issuer.name);
    await issuer.answer({ user: { email_verified: false } });
    expect(await outcome(await issuer.logIn())).toBe("400 login_unverified");
    expect(await findAccount(env.PATRONS, { username: issuer.name })).toMatchObject({ subject: null });
    await issuer.answer();
    expect(await owner(await issuer.logIn())).toBe(issuer.name);
  });

  it("opens no blocked account", async () => {
    await issuer.logIn();
    await setAccount(env.PATRONS, issuer.name, { status: "blocked" });
    expect(await outcome(await issuer.logIn())).toBe("400 account_blocked");
  });

  it("refuses a button on the page of another site", async () => {
    const { response } = await issuer.start({}, { Origin: "https://evil.example" });
    expect(response.status).toBe(403);
  });

  it("limits failed answers of one network", async () => {
    const from = { "CF-Connecting-IP": "198.18.0.1" };
    for (let failed = 0; failed < 10; failed += 1) {
      const { parameters, cookie } = await issuer.start();
      await issuer.back({ ...issuer.approve(parameters), code: "guess" }, { ...cookie, ...from });
    }
    expect((await issuer.logIn({}, from)).status).toBe(429);
  });

  it("shows the reason on the login page, in the reader's language", async () => {
    const page = await issuer.back({ state: "x" }, { ...HTML, "Accept-Language": "de" });
    const text = await page.text();
    expect([page.status, text.includes("Mit login.example anmelden"), text.includes("abgelaufen")]).toEqual([
      400,
      true,
      true,
    ]);
  });
});

describe("a service whose users log in at an issuer", () => {
  it("shows one button, which may lead to other hosts", async () => {
    const page = await get("/account/login?redirect=/a", HTML);
    const text = await page.text();
    expect(text).toContain("Log in with login.example");
    expect(text).toContain('<input type="hidden" name="redirect" value="/a">');
    expect(text).not.toMatch(/type="password"|account\/create|password\/forgot/);
    expect(page.headers.get("Content-Security-Policy")).toContain("form-action 'self' https:;");
  });

  it("offers to log out at the issuer too", async () => {
    const cookie = cookieHeader(await issuer.logIn());
    const out = await service.fetch("/account/logout", { method: "POST", headers: cookie });
    expect(await outcome(out)).toBe("303 /account/login?logged_out=true");
    expect((await get("/account/sessions.json", cookie)).status).toBe(401);
    const page = async () => (await get("/account/login?logged_out=true", HTML)).text();
    expect(await page()).toContain(`href="${ISSUER}/logout?client_id=carrel"`);
    service.now += 4_000_000;
    await issuer.answer({ metadata: { end_session_endpoint: undefined } });
    expect(await page()).not.toContain("/logout?");
  });

  it.each([
    ["POST /account/login", { username: "Joe@example.com", password: PASSWORD }, "400 password_login"],
    ["POST /account/login.json", { username: "Joe", password: PASSWORD }, "400 password_login"],
    [
      "POST /account/create",
      { username: "new", email: "new@example.com", password: PASSWORD },
      "403 keeps no passwords",
    ],
    ["GET /account/create", undefined, "303 /account/login"],
    ["GET /account/password/forgot", undefined, "403 keeps no passwords"],
    ["POST /account/password/forgot", { email: "Joe@example.com" }, "403 keeps no passwords"],
    [
      "POST /account/password",
      { password: PASSWORD, new_password: "another pass phrase" },
      "403 keeps no passwords",
    ],
    ["POST /account/email", { email: "new@example.com", password: PASSWORD }, "403 keeps no passwords"],
    ["POST /account/login/otp/issue", { email: "Joe@example.com" }, "200 otp_issue_failed"],
  ])("answers %s %j with %s", async (route, body, expected) => {
    await account(service, issuer.name);
    const cookie = cookieHeader(await issuer.logIn());
    const [method, path = ""] = route.split(" ");
    const send = path.endsWith(".json") ? jsonOf(body, cookie) : formOf(body ?? {}, cookie);
    const answer = await (method === "GET" ? get(path, cookie) : service.fetch(path, send));
    expect((await outcome(answer)).replace(/This site (keeps no passwords).*/, "$1")).toBe(expected);
  });

  it("takes no password at the routes of library systems", async () => {
    await account(service, issuer.name);
    const Authorization = `Basic ${btoa(`${issuer.name}@example.com:${PASSWORD}`)}`;
    const answer = await service.fetch("/api/ils_search", {
      method: "POST",
      body: JSON.stringify({ title: "x" }),
      headers: { Authorization },
    });
    expect([answer.status, (await answer.text()).includes("personal token")]).toEqual([400, true]);
  });

  it("logs key pairs in, and makes keys and tokens shortly after a login", async () => {
    const session = cookieHeader(await issuer.logIn());
    await createApiKey(env.PATRONS, {
      access: "joe-a",
      secret: "joe-s",
      username: issuer.name,
      created: TIME,
    });
    const keys = { access: "joe-a", secret: "joe-s" };
    const byKey = await service.fetch("/account/login", jsonOf(keys));
    expect(byKey.status).toBe(200);
    const forms = [
      ["/account/tokens", { name: "script", scope: "read" }],
      ["/account/api-key", {}],
      ["/account/sync-key", {}],
    ] as const;
    const make = (cookie: Record<string, string>) =>
      Promise.all(
        forms.map(async ([path, form]) => (await service.fetch(path, formOf(form, cookie))).status),
      );
    // A key pair must not lead to tokens that outlive it.
    expect(await make(cookieHeader(byKey))).toEqual([403, 403, 403]);
    expect(await make(session)).toEqual([200, 200, 200]);
    for (const [path] of [...forms, ["/account/remove"]]) {
      const page = await (await get(path, { ...session, ...HTML })).text();
      expect(page).not.toContain('type="password"');
      expect(page).toContain(`/account/login?redirect=${encodeURIComponent(path)}`);
    }
    service.now += 601_000;
    expect(await make(session)).toEqual([403, 403, 403]);
    const remove = () => service.fetch("/account/remove", formOf({ confirm: issuer.name }, session));
    expect((await remove()).status).toBe(403);
    const again = cookieHeader(await issuer.logIn());
    expect((await service.fetch("/account/remove", formOf({ confirm: issuer.name }, again))).status).toBe(
      200,
    );
  });

  it("shows no links to passwords and addresses on the account page", async () => {
    const page = await (await get("/account", { ...cookieHeader(await issuer.logIn()), ...HTML })).text();
    expect(page).toContain("/account/tokens");
    expect(page).not.toMatch(/\/account\/(?:password|email)"/);
  });

  it("reports missing settings in /status", async () => {
    const broken = testService({ ...REDIRECT_LOGIN, OIDC_ISSUER: "" });
    expect(await broken.json("/status.json")).toMatchObject({
      problems: expect.arrayContaining(["Not configured, so no one can log in: OIDC_ISSUER"]),
    });
  });
});

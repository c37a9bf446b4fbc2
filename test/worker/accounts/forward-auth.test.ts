import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import {
  PASSWORD,
  account,
  cookieHeader,
  cookiesOf,
  formOf,
  patronWithKey,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const SECRET = "forward-auth-secret-of-the-tests";
const service = testService({ IDENTITY_PROVIDER: "forward", FORWARD_AUTH_SECRET: SECRET });
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = (value: unknown, secret = SECRET) => ({ "Carrel-Forward-Auth": `${secret} ${encode(value)}` });
const userOf = (user: string, more: object = {}) => ({
  user,
  email: `${encode(user)}@example.com`,
  name: "",
  ...more,
});
const open = (headers: Record<string, string> = {}, { path = "/account/login", method = "GET" } = {}) =>
  service.fetch(path, { method, headers });

beforeAll(() => service.load({ key: "/usergroup/everyone", type: "/type/usergroup" }));

/** Returns status, target and the account of the new session. */
function outcome({ status, headers }: Response, cookies: Record<string, string>): string {
  const [, username = "no session"] = /\/people\/([\w-]+)/.exec(cookies["session"] ?? "") ?? [];
  return `${status} ${headers.get("Location") ?? ""} ${username}`.replace("  ", " ");
}

describe("GET /account/login behind a proxy that names the user", () => {
  const ANN = userOf("ann", { name: "Ann A." });
  type Row = readonly [title: string, run: () => Promise<Response>, expected: unknown];

  it.each<Row>([
    [
      "the first time",
      () => open(header(ANN), { path: "/account/login?redirect=/works/OL1W" }),
      "303 /works/OL1W ann",
    ],
    ["again", () => open(header(ANN)), "303 / ann"],
    [
      "to another site",
      () => open(header(ANN), { path: "/account/login?redirect=//evil.example" }),
      "303 / ann",
    ],
    ["with HEAD", () => open(header(ANN), { method: "HEAD" }), "303 / no session"],
    ["with a token", () => open({ ...header(ANN), Authorization: "Bearer carrel_pat_x" }), "401 no session"],
    ["without a header", () => open(), "403 no session"],
    ["with HEAD, without a header", () => open({}, { method: "HEAD" }), "403 no session"],
    ["with the wrong secret", () => open(header(ANN, "x".repeat(32))), "403 no session"],
    ["without a secret", () => open({ "Carrel-Forward-Auth": ` ${encode(ANN)}` }), "403 no session"],
    ["with the secret alone", () => open({ "Carrel-Forward-Auth": SECRET }), "403 no session"],
    ["with broken JSON", () => open({ "Carrel-Forward-Auth": `${SECRET} e3s` }), "403 no session"],
    ["with broken base64", () => open({ "Carrel-Forward-Auth": `${SECRET} ?!` }), "403 no session"],
    ["with a list", () => open(header([ANN])), "403 no session"],
    ["without an email address", () => open(header({ user: "ann" })), "403 no session"],
    ["with a wrong email address", () => open(header({ ...ANN, email: "ann" })), "403 no session"],
    ["without a user", () => open(header({ ...ANN, user: "" })), "403 no session"],
    ["with a line break in the user", () => open(header(userOf("a\nb"))), "403 no session"],
    ["with a long user", () => open(header(userOf("a".repeat(201)))), "403 no session"],
    ["as an email address", () => open(header(userOf("bob@example.org"))), "303 / bob"],
    ["as a Windows name", () => open(header(userOf("CORP\\carl"))), "303 / CORP_carl"],
    ["as a name of two words", () => open(header(userOf("Dan Brown"))), "303 / Dan_Brown"],
    ["as an @", () => open(header(userOf("@"))), expect.stringMatching(/^303 \/ \w+$/)],
    ["as a reserved name", () => open(header(userOf("admin"))), expect.stringMatching(/^303 \/ admin\d+$/)],
    ["as a user whose name is null", () => open(header(userOf("eve", { name: null }))), "303 / eve"],
  ])("%s", async (_title, run, expected) => {
    const response = await run();
    const found = outcome(response, cookiesOf(response));
    expect(found).toEqual(expected);
  });

  it("stores subject, address and name of a new user", async () => {
    await open(header(userOf("frank", { name: "Frank F.", email: "Frank@example.com" })));
    expect(await findAccount(env.PATRONS, { username: "frank" })).toMatchObject({
      subject: "forward#frank",
      email: "frank@example.com",
      displayname: "Frank F.",
    });
  });

  it("opens the account that has the address", async () => {
    await account(service, "Gina");
    const response = await open(header(userOf("gg", { email: "gina@example.com" })));
    expect(outcome(response, cookiesOf(response))).toBe("303 / Gina");
  });

  it("ends the session of another user", async () => {
    const first = cookieHeader(await open(header(userOf("hugo"))));
    const second = await open({ ...header(userOf("ida")), ...first });
    expect(outcome(second, cookiesOf(second))).toBe("303 / ida");
    expect((await open(first, { path: "/account/sessions.json" })).status).toBe(401);
    const path = "/account/sessions.json";
    expect((await open(cookieHeader(second), { path })).status).toBe(200);
  });

  it("opens no blocked account", async () => {
    await open(header(userOf("jack")));
    await setAccount(env.PATRONS, "jack", { status: "blocked" });
    const response = await open({ ...header(userOf("jack")), ...HTML });
    expect([response.status, cookiesOf(response)["session"]]).toEqual([400, undefined]);
    expect(await response.text()).toContain("This account is blocked");
  });

  it("says where to log in without a header", async () => {
    const page = await (await open(HTML)).text();
    expect(page).toContain("The proxy of this site logs you in");
    expect(page).not.toMatch(/<input(?![^>]*(?:search|hidden))[^>]*name="(?:username|password)"/);
  });
});

describe("a service behind a proxy that names the user", () => {
  it("looks at the header nowhere else", async () => {
    const response = await open(header(userOf("ann")), { path: "/account/sessions.json" });
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    const form = formOf({ username: "ann@example.com", password: PASSWORD }, header(userOf("ann")));
    const post = await service.fetch("/account/login", form);
    expect([post.status, await post.json()]).toEqual([
      400,
      expect.objectContaining({ error: "password_login" }),
    ]);
  });

  it("takes tokens and key pairs of programs", async () => {
    const byKey = await patronWithKey(service, "Kim");
    const fields = { name: "script", scope: "read" };
    expect((await service.fetch("/account/tokens", formOf(fields, byKey))).status).toBe(403);
    const cookie = cookieHeader(await open(header(userOf("kim", { email: "kim@example.com" }))));
    const made = await service.fetch("/account/tokens", formOf(fields, cookie));
    const { token } = await made.json<{ token: string }>();
    const headers = { Authorization: `Bearer ${token}`, ...header(userOf("ann")) };
    expect((await open(headers, { path: "/account/loans.json" })).status).toBe(200);
  });

  it.each([
    [{ FORWARD_AUTH_SECRET: undefined }, 503],
    [{ IDENTITY_PROVIDER: "local" }, 200],
  ])("with the settings %j answers %i", async (settings, expected) => {
    const other = testService({
      IDENTITY_PROVIDER: "forward",
      FORWARD_AUTH_SECRET: SECRET,
      ...settings,
    } as Partial<Cloudflare.Env>);
    const response = await other.fetch("/account/login", { headers: header(userOf("ann")) });
    expect([response.status, cookiesOf(response)["session"]]).toEqual([expected, undefined]);
  });
});

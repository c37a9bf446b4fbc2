import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { LOGIN_FAILURES } from "../../../src/worker/accounts/budgets.ts";
import {
  PASSWORD,
  account,
  cookiesOf,
  formOf,
  keySession,
  linkTo,
  logIn,
  mailTo,
  patronWithKey,
} from "../../support/worker/accounts.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };
type Cookie = { Cookie: string };

const sessionOf = (username: string): Promise<Cookie> => keySession(service, username);
const patron = (username: string): Promise<Cookie> => patronWithKey(service, username);
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch(path, { headers });
const isOpen = async (cookie: Cookie): Promise<boolean> =>
  (await get("/account/preferences.json", cookie)).status === 200;

describe("POST /account/password", () => {
  const change = (cookie: Cookie, password: string, next: string, headers = {}): Promise<Response> =>
    service.fetch("/account/password", formOf({ password, new_password: next }, { ...cookie, ...headers }));

  it("changes the password, and ends all other sessions and links", async () => {
    const cookie = await patron("Cautious");
    const other = await sessionOf("Cautious");
    await service.fetch("/account/password/forgot", formOf({ email: "cautious@example.com" }));
    const link = await linkTo("Cautious@example.com");
    expect((await change(cookie, "wrong", "a new password")).status).toBe(422);
    expect((await change(cookie, PASSWORD, "short")).status).toBe(422);
    expect(await (await change(cookie, PASSWORD, "short", HTML)).text()).toContain('id="new_password-error"');
    expect((await service.fetch("/account/password", formOf({}, cookie))).status).toBe(422);
    expect(await isOpen(other)).toBe(true);
    service.now += 1;
    expect(await (await change(cookie, PASSWORD, "a new password")).json()).toEqual({ status: "ok" });
    expect([await isOpen(cookie), await isOpen(other)]).toEqual([true, false]);
    expect((await get(link)).status).toBe(404);
    expect((await logIn(service, "cautious")).status).toBe(400);
    expect((await logIn(service, "cautious", { password: "a new password" })).status).toBe(303);
    expect(await mailTo("Cautious@example.com")).toContain("was changed");
  });

  it("limits guesses from within a session", async () => {
    const cookie = await patron("Victim");
    await env.PATRONS.prepare("UPDATE account SET password_hash = NULL WHERE username = 'Victim'").run();
    const statuses = [];
    for (let turn = 0; turn <= LOGIN_FAILURES.limit; turn += 1) {
      statuses.push((await change(cookie, `guess ${turn}`, "a new password")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: LOGIN_FAILURES.limit }, () => 422), 429]);
  });
});

describe("POST /account/email", () => {
  const change = (cookie: Cookie, email: string, password = PASSWORD): Promise<Response> =>
    service.fetch("/account/email", formOf({ email, password }, cookie));

  it("changes the address by a link mailed to the new one", async () => {
    const cookie = await patron("Mover");
    await account(service, "Jane");
    await service.fetch("/account/password/forgot", formOf({ email: "mover@example.com" }));
    const reset = await linkTo("Mover@example.com");
    expect((await change(cookie, "new@example.org", "wrong")).status).toBe(422);
    expect((await change(cookie, "nonsense")).status).toBe(422);
    expect((await change(cookie, "jane@example.com")).status).toBe(422);
    expect((await change(cookie, "")).status).toBe(422);
    expect(await (await change(cookie, "new@example.org")).json()).toEqual({
      status: "verify",
      email: "new@example.org",
    });
    const link = await linkTo("new@example.org");
    for (const method of ["HEAD", "GET", "GET"])
      expect((await service.fetch(link, { method })).status).toBe(200);
    expect(await (await get(link)).text()).toContain("new@example.org will be the email address of Mover");
    expect(await (await get("/account", { ...cookie, ...HTML })).text()).not.toContain("new@example.org");
    const other = await sessionOf("Mover");
    service.now += 1;
    const done = await service.fetch(link, formOf({}, cookie));
    expect([done.status, cookiesOf(done)["session"]]).toEqual([200, undefined]);
    expect([await isOpen(cookie), await isOpen(other)]).toEqual([true, false]);
    expect((await get(link)).status).toBe(404);
    expect((await service.fetch(link, formOf({}))).status).toBe(404);
    expect(await mailTo("Mover@example.com")).toContain(
      "email address of your account at Carrel was changed",
    );
    expect((await get(reset)).status).toBe(404);
    expect(await (await get("/account", { ...cookie, ...HTML })).text()).toContain("new@example.org");
  });

  it("refuses an address that was registered in the meantime", async () => {
    const cookie = await patron("Slowpoke");
    await change(cookie, "popular@example.com");
    const link = await linkTo("popular@example.com");
    await account(service, "popular");
    expect((await service.fetch(link, formOf({}))).status).toBe(409);
    expect((await get(link)).status).toBe(404);
  });

  it("takes the address of an unconfirmed registration", async () => {
    const cookie = await patron("Rightful");
    const squatter = { username: "squat", email: "rightful@example.net", password: PASSWORD };
    expect((await service.fetch("/account/create", formOf(squatter))).status).toBe(200);
    expect((await change(cookie, "rightful@example.net")).status).toBe(200);
    const link = await linkTo("rightful@example.net");
    expect((await service.fetch(link, formOf({}))).status).toBe(200);
    expect(await findAccount(env.PATRONS, { username: "squat" })).toBeUndefined();
  });
});

describe("POST /admin/people/{username}: update_email", () => {
  it("replaces an unconfirmed registration, and tells the old address", async () => {
    const boss = await loggedIn(service, "Boss", { groups: ["admin"] });
    await account(service, "Settled");
    const squatter = { username: "squatting", email: "settled@example.net", password: PASSWORD };
    expect((await service.fetch("/account/create", formOf(squatter))).status).toBe(200);
    const fields = { action: "update_email", email: "settled@example.net" };
    expect((await boss.fetch("/admin/people/settled", formOf(fields))).status).toBe(200);
    expect(await findAccount(env.PATRONS, { username: "squatting" })).toBeUndefined();
    expect(await findAccount(env.PATRONS, { username: "settled" })).toMatchObject({
      email: "settled@example.net",
    });
    expect(await mailTo("Settled@example.com")).toContain(
      "email address of your account at Carrel was changed",
    );
  });

  it("keeps an unconfirmed account whose address only changes its case", async () => {
    const boss = await loggedIn(service, "Boss2", { groups: ["admin"] });
    const newcomer = { username: "newcomer", email: "newcomer@example.net", password: PASSWORD };
    expect((await service.fetch("/account/create", formOf(newcomer))).status).toBe(200);
    const fields = { action: "update_email", email: "Newcomer@example.net" };
    expect((await boss.fetch("/admin/people/newcomer", formOf(fields))).status).toBe(200);
    expect(await findAccount(env.PATRONS, { username: "newcomer" })).toMatchObject({
      email: "Newcomer@example.net",
      status: "pending",
    });
  });
});

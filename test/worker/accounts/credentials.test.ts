import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { createApiKey } from "../../../src/db/accounts/write-secrets.ts";
import { LOGIN_FAILURES } from "../../../src/worker/accounts/budgets.ts";
import {
  PASSWORD,
  account,
  cookieHeader,
  cookiesOf,
  formOf,
  jsonOf,
  linkTo,
  logIn,
  mailTo,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };
type Cookie = { Cookie: string };

/** Logs in without a password to be hashed. */
const sessionOf = async (username: string): Promise<Cookie> =>
  cookieHeader(
    await service.fetch("/account/login", jsonOf({ access: `${username}-key`, secret: username })),
  );
const patron = async (username: string): Promise<Cookie> => {
  await account(service, username);
  const created = "2026-11-21T12:00:00.000000";
  await createApiKey(env.PATRONS, { access: `${username}-key`, secret: username, username, created });
  return sessionOf(username);
};
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch(path, { headers });
const isOpen = async (cookie: Cookie): Promise<boolean> =>
  (await get("/account/preferences.json", cookie)).status === 200;

describe("a password", () => {
  const change = (cookie: Cookie, password: string, next: string, headers = {}): Promise<Response> =>
    service.fetch("/account/password", formOf({ password, new_password: next }, { ...cookie, ...headers }));

  it("is changed by who knows it; all other sessions and links end", async () => {
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

  it("cannot be guessed by who has stolen a session", async () => {
    const cookie = await patron("Victim");
    await env.PATRONS.prepare("UPDATE account SET password_hash = NULL WHERE username = 'Victim'").run();
    const statuses = [];
    for (let turn = 0; turn <= LOGIN_FAILURES.limit; turn += 1) {
      statuses.push((await change(cookie, `guess ${turn}`, "a new password")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: LOGIN_FAILURES.limit }, () => 422), 429]);
  });
});

describe("an e-mail address", () => {
  const change = (cookie: Cookie, email: string, password = PASSWORD): Promise<Response> =>
    service.fetch("/account/email", formOf({ email, password }, cookie));

  it("is changed by the link that is mailed to the new one", async () => {
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
    expect(await (await get(link)).text()).toContain(
      "new@example.org becomes the address of the account Mover",
    );
    expect(await (await get("/account", { ...cookie, ...HTML })).text()).not.toContain("new@example.org");
    const other = await sessionOf("Mover");
    service.now += 1;
    const done = await service.fetch(link, formOf({}, cookie));
    expect([done.status, cookiesOf(done)["session"]]).toEqual([200, undefined]);
    expect([await isOpen(cookie), await isOpen(other)]).toEqual([true, false]);
    expect((await get(link)).status).toBe(404);
    expect((await service.fetch(link, formOf({}))).status).toBe(404);
    expect(await mailTo("Mover@example.com")).toContain("another e-mail address");
    expect((await get(reset)).status).toBe(404);
    expect(await (await get("/account", { ...cookie, ...HTML })).text()).toContain("new@example.org");
  });

  it("that somebody else has got in the meantime is refused", async () => {
    const cookie = await patron("Slowpoke");
    await change(cookie, "popular@example.com");
    const link = await linkTo("popular@example.com");
    await account(service, "popular");
    expect((await service.fetch(link, formOf({}))).status).toBe(409);
    expect((await get(link)).status).toBe(404);
  });

  it("that somebody else has only asked for is his who reads its mails", async () => {
    const cookie = await patron("Rightful");
    const squatter = { username: "squat", email: "rightful@example.net", password: PASSWORD };
    expect((await service.fetch("/account/create", formOf(squatter))).status).toBe(200);
    expect((await change(cookie, "rightful@example.net")).status).toBe(200);
    const link = await linkTo("rightful@example.net");
    expect((await service.fetch(link, formOf({}))).status).toBe(200);
    expect(await findAccount(env.PATRONS, { username: "squat" })).toBeUndefined();
  });
});

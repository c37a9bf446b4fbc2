import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readOutbox } from "../../../src/db/accounts/read-accounts.ts";
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
  newAddress,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");

interface Headers {
  readonly Cookie?: string;
  readonly "CF-Connecting-IP"?: string;
}
const status = async (username: string, password: string, headers: Headers = {}): Promise<number> =>
  (await service.fetch("/account/login.json", jsonOf({ username, password }, { ...headers }))).status;
/** Uses up the login budget of an account from many addresses. */
const lockOut = async (username: string): Promise<void> => {
  for (let turn = 0; turn < LOGIN_FAILURES.limit; turn += 1) await status(username, "wrong");
  expect(await status(username, PASSWORD)).toBe(429);
};
/** Returns the cookie of a browser after a login and a logout. */
const deviceOf = async (username: string): Promise<{ Cookie: string }> => {
  const cookie = cookieHeader(await logIn(service, username));
  const out = await service.fetch("/account/logout", { method: "POST", headers: cookie });
  expect(cookiesOf(out)["device"]).toBeUndefined();
  return { Cookie: /device=[^;]+/.exec(cookie.Cookie)?.[0] ?? "" };
};
const mails = async (username: string): Promise<string[]> =>
  (await readOutbox(env.PATRONS, `${username}@example.com`)).map(({ body }) => body);

describe("the login budget of an account", () => {
  it("counts failures by username and address together", async () => {
    await account(service, "Onebudget");
    for (let turn = 0; turn < LOGIN_FAILURES.limit; turn += 1) {
      const name = ["onebudget", "ONEBUDGET@example.com"][turn % 2] ?? "";
      expect(await status(name, "wrong")).toBe(400);
    }
    expect(await status("Onebudget", PASSWORD)).toBe(429);
    expect(await status("onebudget@EXAMPLE.com", PASSWORD)).toBe(429);
    expect((await logIn(service, "onebudget")).status).toBe(429);
    service.now += LOGIN_FAILURES.seconds * 1000;
    expect(await status("Onebudget", PASSWORD)).toBe(200);
  });

  it("tells the owner once a day when it is used up", async () => {
    await account(service, "Told");
    for (let turn = 1; turn < LOGIN_FAILURES.limit; turn += 1) await status("Told", "wrong");
    expect(await mails("Told")).toEqual([]);
    await status("told@example.com", "wrong");
    expect(await mails("Told")).toEqual([expect.stringContaining("too many failed logins to your account")]);
    service.now += LOGIN_FAILURES.seconds * 1000;
    await lockOut("Told");
    expect(await mails("Told")).toHaveLength(1);
    service.now += 86_400_000;
    await lockOut("Told");
    expect(await mails("Told")).toHaveLength(2);
  });

  it("does not tell the owner of a blocked account", async () => {
    await account(service, "Barred");
    await env.PATRONS.exec("UPDATE account SET status = 'blocked' WHERE username = 'Barred'");
    await lockOut("Barred").catch(() => undefined);
    expect(await mails("Barred")).toEqual([]);
  });
});

describe("the device cookie", () => {
  it("opens no session", async () => {
    await account(service, "Owner");
    const cookie = cookiesOf(await logIn(service, "Owner"))["device"] ?? "";
    expect(cookie).toMatch(/^\/people\/Owner%2C.*; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    const [value = ""] = cookie.split(";");
    const headers = { Cookie: `session=${value}` };
    expect((await service.fetch("/account/preferences.json", { headers })).status).toBe(401);
  });

  it("lets its owner log in after failures of others, even from the same address", async () => {
    await account(service, "Homely");
    const device = await deviceOf("Homely");
    await lockOut("Homely");
    const address = newAddress();
    for (let turn = 0; turn < LOGIN_FAILURES.limit; turn += 1) {
      await status(`unknown${turn}`, "wrong", { "CF-Connecting-IP": address });
    }
    expect(await status("Homely", PASSWORD, { ...device, "CF-Connecting-IP": address })).toBe(200);
  });

  it("has a budget of its own", async () => {
    await account(service, "Guesser");
    const device = await deviceOf("Guesser");
    for (let turn = 0; turn < LOGIN_FAILURES.limit; turn += 1) {
      expect(await status("guesser", "wrong", device)).toBe(400);
    }
    expect(await status("Guesser", PASSWORD, device)).toBe(429);
    expect(await status("Guesser", PASSWORD)).toBe(200);
    expect(await mails("Guesser")).toEqual([]);
  });

  it("counts for its own account only, for a year, and cannot be a session's cookie", async () => {
    await account(service, "First");
    await account(service, "Second");
    const device = await deviceOf("First");
    const session = cookieHeader(await logIn(service, "Second")).Cookie.replace(/.*session=([^;]+).*/, "$1");
    await lockOut("Second");
    expect(await status("Second", PASSWORD, device)).toBe(429);
    expect(await status("Second", PASSWORD, { Cookie: `device=${session}` })).toBe(429);
    service.now += 365 * 86_400_000;
    await lockOut("First");
    expect(await status("First", PASSWORD, device)).toBe(429);
  });

  it("is set when a password is reset by a mailed link", async () => {
    await account(service, "Helpless");
    await lockOut("Helpless");
    await service.fetch("/account/password/forgot", formOf({ email: "helpless@example.com" }));
    const password = "remember this one";
    const set = await service.fetch(await linkTo("Helpless@example.com"), formOf({ password }));
    expect(set.status).toBe(200);
    service.now += 1;
    expect(await status("Helpless", password)).toBe(429);
    expect(await status("Helpless", password, cookieHeader(set))).toBe(200);
  });
});

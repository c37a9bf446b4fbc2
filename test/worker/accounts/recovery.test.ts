import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { MAILS_TO_ONE } from "../../../src/worker/accounts/budgets.ts";
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
  problemCodes,
  registrationOf,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");

const register = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch("/account/create", jsonOf(fields, headers));

beforeAll(async () => {
  await service.load({ key: "/usergroup/everyone", type: "/type/usergroup" });
});

describe("POST /account/password/forgot", () => {
  const forgot = (email: string, headers: Record<string, string> = {}): Promise<Response> =>
    service.fetch("/account/password/forgot", formOf({ email }, headers));

  it("mails a link that sets a password once and ends all sessions", async () => {
    await account(service, "Forgetful");
    const session = cookieHeader(await logIn(service, "forgetful"));
    expect(await (await forgot("FORGETFUL@example.com")).json()).toEqual({ status: "sent" });
    const link = await linkTo("Forgetful@example.com");
    expect(link).toMatch(/^\/account\/password\/reset\/[0-9a-f]{32}$/);
    expect((await service.fetch(link)).status).toBe(200);
    expect((await service.fetch(link, formOf({ password: "short" }))).status).toBe(422);
    service.now += 1;
    const both = await Promise.all([
      service.fetch(link, formOf({ password: "a new password" })),
      service.fetch(link, formOf({ password: "another password" })),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const password = both[0]?.status === 200 ? "a new password" : "another password";
    expect((await service.fetch(link)).status).toBe(404);
    expect((await service.fetch("/account/preferences.json", { headers: session })).status).toBe(401);
    expect((await logIn(service, "forgetful")).status).toBe(400);
    expect((await logIn(service, "forgetful", { password })).status).toBe(303);
    expect(await mailTo("Forgetful@example.com")).toContain("was changed");
  });

  it("answers every address alike, and sends nothing to unknown or blocked accounts", async () => {
    await account(service, "Barred");
    await setAccount(env.PATRONS, "Barred", { status: "blocked" });
    const answers = [];
    for (const email of ["barred@example.com", "stranger@example.com"]) {
      answers.push(await (await forgot(email)).text());
      expect(await mailTo(email)).toBe("");
    }
    expect(new Set(answers).size).toBe(1);
    expect(problemCodes(await (await forgot("nonsense")).json())).toEqual(["body.email invalid_email"]);
  });

  it("confirms the address of a registration", async () => {
    await register(registrationOf("Lost"));
    const unused = await linkTo("Lost@example.com");
    await forgot("lost@example.com");
    expect(
      (await service.fetch(await linkTo("Lost@example.com"), formOf({ password: PASSWORD }))).status,
    ).toBe(200);
    expect((await logIn(service, "lost")).status).toBe(303);
    expect((await service.fetch(unused)).headers.get("Location")).toBe("/account/create");
  });

  it("limits mails to one address", async () => {
    const statuses = [];
    for (let turn = 0; turn <= MAILS_TO_ONE.limit; turn += 1) {
      statuses.push((await forgot("often@example.com")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: MAILS_TO_ONE.limit }, () => 200), 429]);
  });

  it.each(["/account/forgot_password", "/account/reset_password"])("has the alias %s", async (path) => {
    expect((await service.fetch(path)).status).toBe(200);
    expect(await service.json(path, formOf({ email: "stranger2@example.com" }))).toEqual({ status: "sent" });
  });
});

describe("one-time codes by email", () => {
  const issue = (email: string): Promise<Response> =>
    service.fetch("/account/login/otp/issue", formOf({ email }));
  const redeem = (fields: Record<string, string>): Promise<Response> =>
    service.fetch("/account/login/otp/redeem", formOf(fields));
  const codeTo = async (address: string): Promise<string> =>
    /^\d{6}$/m.exec(await mailTo(address))?.[0] ?? "";

  it("log in once", async () => {
    await account(service, "Coded");
    expect(await (await issue(" coded@example.com ")).json()).toEqual({ success: true });
    const fields = { email: "Coded@example.com", otp: await codeTo("Coded@example.com") };
    expect(fields.otp).toHaveLength(6);
    const other = fields.otp === "000000" ? "000001" : "000000";
    expect(await (await redeem({ ...fields, otp: other })).json()).toEqual({ error: "invalid_otp" });
    const opened = await redeem({ ...fields, redirect: "/books" });
    expect(await opened.json()).toEqual({ success: true, redirect: "/books" });
    expect(opened.headers.get("Cache-Control")).toBe("private, no-store");
    expect(cookiesOf(opened)["session"]).toContain("/people/Coded%2C");
    expect(await (await redeem(fields)).json()).toEqual({ error: "invalid_otp" });
    await issue("coded@example.com");
    fields.otp = await codeTo("Coded@example.com");
    expect(await (await redeem({ ...fields, redirect: "//evil.example" })).json()).toEqual({
      success: true,
      redirect: "/account/books",
    });
  });

  it("are refused after their time and for blocked accounts", async () => {
    await account(service, "Slow");
    for (const work of [
      async () => void (service.now += 600_000),
      () => setAccount(env.PATRONS, "Slow", { status: "blocked" }),
    ]) {
      await issue("slow@example.com");
      const otp = await codeTo("Slow@example.com");
      await work();
      const answer = await redeem({ email: "slow@example.com", otp });
      expect(await answer.json()).toEqual({
        error: expect.stringMatching(/^(invalid_otp|account_blocked)$/),
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("are requested alike for every address, and not too often", async () => {
    for (const [email, error] of [
      ["", "missing_email"],
      ["nonsense", "invalid_email"],
    ] as const) {
      expect(await (await issue(email)).json()).toEqual({ error });
    }
    expect(await (await redeem({ email: "coded@example.com" })).json()).toEqual({ error: "missing_fields" });
    for (let turn = 0; turn < MAILS_TO_ONE.limit; turn += 1) {
      expect(await (await issue("unknown@example.com")).json()).toEqual({ success: true });
    }
    const refused = await issue("unknown@example.com");
    expect([refused.status, await refused.json()]).toEqual([429, { error: "rate_limited" }]);
    expect(refused.headers.get("Retry-After")).not.toBeNull();
    expect(await mailTo("unknown@example.com")).toBe("");
  });
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read.ts";
import { LINK_SECONDS } from "../../../src/db/accounts/write-secrets.ts";
import { setAccount } from "../../../src/db/accounts/write.ts";
import { MAILS_TO_ONE, REGISTRATIONS, VALIDATIONS } from "../../../src/worker/accounts/budgets.ts";
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
  newAddress,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };

const register = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch("/account/create", jsonOf(fields, headers));
const wanted = (username: string): Record<string, string> => ({
  username,
  email: `${username}@example.com`,
  password: PASSWORD,
});
const codes = (body: unknown): unknown[] =>
  (body as { detail: { loc: string[]; type: string; ctx?: { error: string } }[] }).detail.map(
    ({ loc, type, ctx }) => `${loc.join(".")} ${ctx?.error ?? type}`,
  );

beforeAll(async () => {
  await service.load({ key: "/usergroup/everyone", type: "/type/usergroup" });
});

describe("a registration", () => {
  it("is confirmed by the mail, which logs in and makes the records in one change", async () => {
    const created = await register(wanted("Newcomer"));
    expect(created.status).toBe(200);
    expect(await created.json()).toEqual({ status: "verify", email: "Newcomer@example.com" });
    const credentials = { username: "newcomer@example.com", password: PASSWORD };
    const early = await service.json("/account/login", formOf(credentials));
    expect(early).toMatchObject({ error: "account_not_verified" });

    const link = await linkTo("Newcomer@example.com");
    expect(link).toMatch(/^\/account\/verify\?t=[0-9a-f]{32}$/);
    const verified = await service.fetch(`${link}&redirect=/books`);
    expect([verified.status, verified.headers.get("Location")]).toEqual([303, "/books"]);
    expect(cookiesOf(verified)["session"]).toContain("/people/Newcomer%2C");
    expect(cookiesOf(verified)["ol_activation"]).toContain("1; Path=/; Max-Age=300");

    expect(await service.json("/people/Newcomer.json")).toEqual({
      key: "/people/Newcomer",
      type: { key: "/type/user" },
      displayname: "Newcomer",
      permission: { key: "/people/Newcomer/permission" },
      latest_revision: 1,
      revision: 1,
      created: { type: "/type/datetime", value: "2100-11-21T12:00:00.000000" },
      last_modified: { type: "/type/datetime", value: "2100-11-21T12:00:00.000000" },
    });
    const { results } = await env.CATALOG.prepare(
      "SELECT kind, author, comment, changes FROM change WHERE kind = 'new-account'",
    ).all();
    expect(results).toEqual([
      {
        kind: "new-account",
        author: "/people/Newcomer",
        comment: "Created new account.",
        changes: JSON.stringify(
          ["", "/usergroup", "/permission"].map((end) => ({ key: `/people/Newcomer${end}`, revision: 1 })),
        ),
      },
    ]);
    expect(await env.PATRON.getByName("newcomer").preferences()).toEqual({ public_readlog: "yes" });
    expect((await findAccount(env.PATRONS, { username: "newcomer" }))?.hasRecords).toBe(true);
    expect((await logIn(service, "newcomer")).status).toBe(303);
  });

  it("whose link is used up, missing or wrong leads back", async () => {
    await register(wanted("Twice"));
    const link = await linkTo("Twice@example.com");
    expect((await service.fetch(link, { method: "HEAD" })).headers.get("Location")).toBe("/account/create");
    const older = await service.fetch(link.replace("?t=", "/"));
    expect([older.status, older.headers.get("Location")]).toEqual([303, link]);
    const first = await service.fetch(link);
    expect(first.headers.get("Location")).toBe("/");
    for (const path of [
      link,
      "/account/verify",
      "/account/verify?t=",
      `/account/verify?t=${"0".repeat(32)}`,
    ]) {
      const response = await service.fetch(path);
      expect([path, response.status, response.headers.get("Location")]).toEqual([
        path,
        303,
        "/account/create",
      ]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const again = await service.fetch(link, { headers: cookieHeader(first) });
    expect(again.headers.get("Location")).toBe("/account/books");
  });

  it.each([
    [{}, ["body.email missing", "body.username missing", "body.password missing"]],
    [
      { username: "ab", email: "nonsense", password: "short" },
      ["body.email bad_email", "body.username bad_username", "body.password bad_password"],
    ],
    [{ ...wanted("fine"), username: "a.b" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "a".repeat(21) }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "ol12a" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "Admin" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "AccountBot" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "ImportBot" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), username: "anonymous-1" }, ["body.username bad_username"]],
    [{ ...wanted("fine"), email: "me@dispostable.com" }, ["body.email bad_email"]],
    [{ ...wanted("fine"), email: "a@b\r\nBcc: c@d.example" }, ["body.email bad_email"]],
    [{ ...wanted("fine"), password: "a".repeat(129) }, ["body.password bad_password"]],
    [{ ...wanted("fine"), username: "tAkEn" }, ["body.username username_registered"]],
    [{ ...wanted("fine"), email: "TAKEN@example.com" }, ["body.email email_registered"]],
    [{ ...wanted("fine"), username: "loaded" }, ["body.username username_registered"]],
    [{ ...wanted("fine"), username: "gone" }, ["body.username username_registered"]],
  ])("with %j has problems: %j", async (fields, problems) => {
    await account(service, "Taken");
    await service.load(
      { key: "/people/Loaded", type: "/type/user" },
      { key: "/people/gone", type: "/type/delete" },
    );
    const response = await register(fields as Record<string, string>);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(codes(JSON.parse(text))).toEqual(problems);
    expect(text).not.toContain('"input"');
    const page = await service.fetch("/account/create", formOf(fields as Record<string, string>, HTML));
    expect(page.status).toBe(422);
    expect(await page.text()).toContain('role="alert"');
  });

  it("can be sent by the form of the page", async () => {
    expect(await (await service.fetch("/account/create")).text()).toContain('action="/account/create"');
    const fields = { ...wanted("by_form"), ia_newsletter: "on", pd_request: "on", pd_program: "vermont_nls" };
    const response = await service.fetch("/account/create", formOf(fields, HTML));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("by_form@example.com");
    expect(cookiesOf(response)["pda"]).toContain("vermont_nls;");
  });

  it("of many with one name or one address at a time makes one account", async () => {
    const names = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        register({ ...wanted("Racer"), email: `racer${index}@example.com` }),
      ),
    );
    expect(names.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const addresses = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        register({ ...wanted(`racer_${index}`), email: "one@example.com" }),
      ),
    );
    expect(addresses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it("that was never confirmed gives way when its link is too old", async () => {
    await register(wanted("Squatter"));
    expect((await register(wanted("squatter"))).status).toBe(422);
    service.now += LINK_SECONDS * 1000 + 1000;
    expect((await service.fetch(await linkTo("Squatter@example.com"))).headers.get("Location")).toBe(
      "/account/create",
    );
    expect((await register(wanted("squatter"))).status).toBe(200);
  });

  it("that broke off before its records were made is finished by the next login", async () => {
    await account(service, "Broken");
    await env.PATRONS.prepare("UPDATE account SET has_records = 0 WHERE username = 'Broken'").run();
    const all = await Promise.all([logIn(service, "broken"), logIn(service, "broken")]);
    expect(all.map(({ status }) => status)).toEqual([303, 303]);
    const history = await service.json("/people/Broken.json?m=history");
    expect(history).toMatchObject([{ revision: 1, author: "/people/Broken" }]);
  });

  it("without a mail service is a 503 and leaves nothing behind", async () => {
    const deployed = testService({ ENVIRONMENT: "production" });
    deployed.now = service.now;
    const response = await deployed.fetch("/account/create", jsonOf(wanted("Unlucky")));
    expect(response.status).toBe(503);
    expect(await findAccount(env.PATRONS, { username: "Unlucky" })).toBeUndefined();
    const oidc = {
      IDENTITY_PROVIDER: "oidc",
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "carrel",
    } as const;
    const elsewhere = await testService(oidc).fetch("/account/create", jsonOf(wanted("Unlucky")));
    expect(elsewhere.status).toBe(503);
  });

  it("can be tried so often from one address", async () => {
    const headers = { "CF-Connecting-IP": newAddress() };
    const many = await Promise.all(
      Array.from({ length: REGISTRATIONS.limit + 5 }, () => register({}, headers)),
    );
    expect(many.filter(({ status }) => status === 422)).toHaveLength(REGISTRATIONS.limit);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe("/account/validate", () => {
  const validate = (query: string, address = newAddress()): Promise<Response> =>
    service.fetch(`/account/validate?${query}`, { headers: { "CF-Connecting-IP": address } });

  it.each([
    ["", { email: null, username: null }],
    ["username=free_name&email=free@example.com", { email: null, username: null }],
    ["username=TAKEN", { email: null, username: "This username is taken." }],
    ["email=Taken@Example.com", { email: "There is an account with this e-mail address.", username: null }],
    ["username=admin", { email: null, username: "This username is reserved." }],
    ["username=OL1W", { email: null, username: "This username looks like the number of a record." }],
  ])("?%s: %j", async (query, answer) => {
    await account(service, "Taken");
    expect(await (await validate(query)).json()).toEqual(answer);
  });

  it("answers so often", async () => {
    const address = newAddress();
    const many = await Promise.all(
      Array.from({ length: VALIDATIONS.limit + 3 }, () => validate("", address)),
    );
    expect(many.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});

describe("a forgotten password", () => {
  const forgot = (email: string, headers: Record<string, string> = {}): Promise<Response> =>
    service.fetch("/account/password/forgot", formOf({ email }, headers));

  it("is replaced by a link, which ends all sessions and is used up", async () => {
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

  it("is answered alike for everybody, and nothing is sent to those who are not known or blocked", async () => {
    await account(service, "Barred");
    await setAccount(env.PATRONS, "Barred", { status: "blocked" });
    const answers = [];
    for (const email of ["barred@example.com", "stranger@example.com"]) {
      answers.push(await (await forgot(email)).text());
      expect(await mailTo(email)).toBe("");
    }
    expect(new Set(answers).size).toBe(1);
    expect(codes(await (await forgot("nonsense")).json())).toEqual(["body.email invalid_email"]);
    const page = await (await forgot("stranger@example.com", HTML)).text();
    expect(page).toContain("If there is an account");
  });

  it("confirms the address of a registration, too", async () => {
    await register(wanted("Lost"));
    await forgot("lost@example.com");
    expect(
      (await service.fetch(await linkTo("Lost@example.com"), formOf({ password: PASSWORD }))).status,
    ).toBe(200);
    expect((await logIn(service, "lost")).status).toBe(303);
  });

  it("is mailed so often to one address", async () => {
    const statuses = [];
    for (let turn = 0; turn <= MAILS_TO_ONE.limit; turn += 1) {
      statuses.push((await forgot("often@example.com")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: MAILS_TO_ONE.limit }, () => 200), 429]);
  });

  it.each(["/account/forgot_password", "/account/reset_password"])("is found at %s too", async (path) => {
    expect((await service.fetch(path)).status).toBe(200);
    expect(await service.json(path, formOf({ email: "stranger2@example.com" }))).toEqual({ status: "sent" });
  });
});

describe("a code by mail", () => {
  const issue = (email: string): Promise<Response> =>
    service.fetch("/account/login/otp/issue", formOf({ email }));
  const redeem = (fields: Record<string, string>): Promise<Response> =>
    service.fetch("/account/login/otp/redeem", formOf(fields));
  const codeTo = async (address: string): Promise<string> =>
    /^\d{6}$/m.exec(await mailTo(address))?.[0] ?? "";

  it("logs in once", async () => {
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

  it("is worth nothing later, and for those who cannot log in", async () => {
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

  it("is asked for by everybody alike, and not too often", async () => {
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

it.each(["/account/register", "/account/delete"])("there is no %s", async (path) => {
  expect((await service.fetch(path)).status).toBe(404);
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { LINK_SECONDS } from "../../../src/db/accounts/write-secrets.ts";
import { REGISTRATIONS, VALIDATIONS } from "../../../src/worker/accounts/budgets.ts";
import {
  PASSWORD,
  account,
  cookieHeader,
  confirm,
  cookiesOf,
  formOf,
  jsonOf,
  linkTo,
  logIn,
  mailTo,
  newAddress,
  problemCodes,
  registrationOf,
} from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };

const register = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch("/account/create", jsonOf(fields, headers));

beforeAll(async () => {
  await account(service, "Taken");
  await service.load(
    { key: "/usergroup/everyone", type: "/type/usergroup" },
    { key: "/people/Loaded", type: "/type/user" },
    { key: "/people/gone", type: "/type/delete" },
  );
});

describe("POST /account/create", () => {
  it("creates an account whose mailed link logs in and creates its records in one change", async () => {
    const created = await register(registrationOf("Newcomer"));
    expect(created.status).toBe(200);
    expect(await created.json()).toEqual({ status: "verify", email: "Newcomer@example.com" });
    const credentials = { username: "newcomer@example.com", password: PASSWORD };
    const early = await service.json("/account/login", formOf(credentials));
    expect(early).toMatchObject({ error: "account_not_verified" });

    const link = await linkTo("Newcomer@example.com");
    expect(link).toMatch(/^\/account\/verify\?t=[0-9a-f]{32}$/);
    const looked = await service.fetch(`${link}&redirect=/books`);
    expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []]);
    expect(await looked.text()).toContain("Your username is Newcomer.");
    const verified = await confirm(service, `${link}&redirect=/books`);
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

  it("redirects from a used, missing or wrong link", async () => {
    await register(registrationOf("Twice"));
    const link = await linkTo("Twice@example.com");
    expect((await service.fetch(link, { method: "HEAD" })).status).toBe(200);
    const older = await service.fetch(link.replace("?t=", "/"));
    expect([older.status, older.headers.get("Location")]).toEqual([303, link]);
    const first = await confirm(service, link);
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
      const page = await service.fetch(path, { headers: { Accept: "text/html" } });
      expect(decodeURIComponent(page.headers.getSetCookie().join())).toContain("accounts.link_invalid");
    }
    expect((await confirm(service, link)).headers.get("Location")).toBe("/account/create");
    for (const again of [
      await service.fetch(link, { headers: cookieHeader(first) }),
      await confirm(service, link, cookieHeader(first)),
    ]) {
      expect(again.headers.get("Location")).toBe("/account/books");
    }
  });

  it("takes the password that is sent with the link, not that of the registration", async () => {
    await register({ ...registrationOf("Hijacked"), password: "of the attacker" });
    const link = await linkTo("Hijacked@example.com");
    for (const password of ["", "short", "password", "my hijacked one"]) {
      expect([password, (await confirm(service, link, { password })).status]).toEqual([password, 422]);
    }
    expect(await (await confirm(service, link, { password: "short", ...HTML })).text()).toContain(
      link.slice(-32),
    );
    expect((await logIn(service, "hijacked", { password: "of the attacker" })).status).toBe(400);
    expect((await confirm(service, link, { password: "of the owner" })).status).toBe(303);
    expect((await logIn(service, "hijacked", { password: "of the attacker" })).status).toBe(400);
    expect((await logIn(service, "hijacked", { password: "of the owner" })).status).toBe(303);
  });

  it("does not replace another account's session", async () => {
    await account(service, "Present");
    const cookie = cookieHeader(await logIn(service, "present"));
    await register(registrationOf("Planted"));
    const answer = await confirm(service, await linkTo("Planted@example.com"), { ...cookie, ...HTML });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(await answer.text()).toContain(
      "Planted can log in now. You’re still logged in as Present in this browser.",
    );
    expect((await logIn(service, "planted")).status).toBe(303);
  });

  it("confirms without a password at another provider", async () => {
    const provider = {
      IDENTITY_PROVIDER: "xauth",
      XAUTH_URL: "https://x.example",
      XAUTH_KEY_URL: "https://x.example",
    };
    const page = await testService({ ...provider }).fetch("/account/verify?t=abc");
    const text = await page.text();
    expect([page.status, text.includes('value="abc"'), text.includes("password")]).toEqual([
      200,
      true,
      false,
    ]);
    const oidc = { IDENTITY_PROVIDER: "oidc", OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "carrel" };
    const none = await testService({ ...oidc }).fetch("/account/verify?t=abc");
    expect(none.headers.get("Location")).toBe("/account/create");
  });

  it("replaces an earlier registration of its address", async () => {
    await register({ ...registrationOf("Earlier"), email: "both@example.com" });
    const link = await linkTo("both@example.com");
    expect((await register({ ...registrationOf("Later"), email: "Both@example.com" })).status).toBe(200);
    expect(await findAccount(env.PATRONS, { username: "earlier" })).toBeUndefined();
    expect((await confirm(service, link)).headers.get("Location")).toBe("/account/create");
    // With the username, too: the mail was lost.
    expect((await register({ ...registrationOf("Later"), email: "both@example.com" })).status).toBe(200);
    expect((await confirm(service, await linkTo("both@example.com"))).headers.get("Location")).toBe("/");
    expect((await register({ ...registrationOf("Latest"), email: "both@example.com" })).status).toBe(422);
  });

  it.each([
    [{}, ["body.email missing", "body.username missing", "body.password missing"]],
    [
      { username: "ab", email: "nonsense", password: "1234567" },
      ["body.email bad_email", "body.username bad_username", "body.password bad_password"],
    ],
    [{ ...registrationOf("fine"), username: "a.b" }, ["body.username bad_username"]],
    [{ ...registrationOf("fine"), username: "Admin" }, ["body.username bad_username"]],
    [{ ...registrationOf("fine"), email: "me@dispostable.com" }, ["body.email bad_email"]],
    [{ ...registrationOf("fine"), email: "a@b\r\nBcc: c@d.example" }, ["body.email bad_email"]],
    [{ ...registrationOf("fine"), password: "a".repeat(129) }, ["body.password bad_password"]],
    [{ ...registrationOf("fine"), password: "QWERTYUIOP" }, ["body.password bad_password"]],
    [{ ...registrationOf("fine"), password: "all is FINE here" }, ["body.password bad_password"]],
    [{ ...registrationOf("fine"), username: "tAkEn" }, ["body.username username_registered"]],
    [{ ...registrationOf("fine"), email: "TAKEN@example.com" }, ["body.email email_registered"]],
    [{ ...registrationOf("fine"), username: "loaded" }, ["body.username username_registered"]],
    [{ ...registrationOf("fine"), username: "gone" }, ["body.username username_registered"]],
  ])("answers %j with the problems %j", async (fields, problems) => {
    const response = await register(fields as Record<string, string>);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(problemCodes(JSON.parse(text))).toEqual(problems);
    expect(text).not.toContain('"input"');
    const page = await service.fetch("/account/create", formOf(fields as Record<string, string>, HTML));
    // Q148: pages do not reveal registered addresses.
    const isTold = !problems.some((problem) => problem.endsWith("email_registered"));
    expect(page.status).toBe(isTold ? 422 : 200);
    expect((await page.text()).includes('role="alert"')).toBe(isTold);
  });

  it("accepts the form of its page", async () => {
    expect(await (await service.fetch("/account/create")).text()).toContain('action="/account/create"');
    const fields = {
      ...registrationOf("by_form"),
      ia_newsletter: "on",
      pd_request: "on",
      pd_program: "vermont_nls",
    };
    const response = await service.fetch("/account/create", formOf(fields, HTML));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("by_form@example.com");
    expect(cookiesOf(response)["pda"]).toContain("vermont_nls;");
  });

  it("creates one account of concurrent requests with one name or one address", async () => {
    const names = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        register({ ...registrationOf("Racer"), email: `racer${index}@example.com` }),
      ),
    );
    expect(names.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const addresses = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        register({ ...registrationOf(`racer_${index}`), email: "one@example.com" }),
      ),
    );
    // Later registrations replace earlier ones.
    expect(addresses.map(({ status }) => status)).toContain(200);
    const made = await env.PATRONS.prepare("SELECT * FROM account WHERE email = 'one@example.com'").all();
    expect(made.results).toHaveLength(1);
  });

  it("releases a username once its link has expired", async () => {
    await register(registrationOf("Squatter"));
    const owner = { ...registrationOf("squatter"), email: "owner@example.com" };
    expect((await register(owner)).status).toBe(422);
    service.now += LINK_SECONDS.verify * 1000 + 1000;
    expect((await service.fetch(await linkTo("Squatter@example.com"))).headers.get("Location")).toBe(
      "/account/create",
    );
    expect((await register(owner)).status).toBe(200);
  });

  it("creates missing records at the next login", async () => {
    await account(service, "Broken");
    await env.PATRONS.prepare("UPDATE account SET has_records = 0 WHERE username = 'Broken'").run();
    const all = await Promise.all([logIn(service, "broken"), logIn(service, "broken")]);
    expect(all.map(({ status }) => status)).toEqual([303, 303]);
    const history = await service.json("/people/Broken.json?m=history");
    expect(history).toMatchObject([{ revision: 1, author: "/people/Broken" }]);
  });

  it("answers 503 without an address for links, and stores nothing", async () => {
    const deployed = testService({ ENVIRONMENT: "production", MAIL_URL: "https://mail.example" });
    deployed.now = service.now;
    for (const [path, fields] of [
      ["create", registrationOf("Unlucky")],
      ["password/forgot", { email: "unlucky@example.com" }],
      ["login/otp/issue", { email: "unlucky@example.com" }],
    ] as const) {
      const refused = await deployed.fetch(`/account/${path}`, jsonOf(fields, { Host: "evil.example" }));
      expect([path, refused.status, await refused.json()]).toMatchObject([
        path,
        503,
        { detail: "The email couldn’t be sent. Try again later." },
      ]);
    }
    expect(await findAccount(env.PATRONS, { username: "Unlucky" })).toBeUndefined();
    const oidc = {
      IDENTITY_PROVIDER: "oidc",
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "carrel",
    } as const;
    const elsewhere = await testService(oidc).fetch("/account/create", jsonOf(registrationOf("Unlucky")));
    expect(elsewhere.status).toBe(503);
  });

  it("limits attempts from one address", async () => {
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
    ["username=TAKEN", { email: null, username: "That username is taken." }],
    [
      "email=Taken@Example.com",
      { email: "There’s already an account with this email address.", username: null },
    ],
    ["username=admin", { email: null, username: "This username is reserved. Choose another one." }],
    [
      "username=OL1W",
      { email: null, username: expect.stringMatching(/^This username looks like a record ID/) },
    ],
  ])("answers ?%s with %j", async (query, answer) => {
    expect(await (await validate(query)).json()).toEqual(answer);
  });

  it("limits requests", async () => {
    const address = newAddress();
    const many = await Promise.all(
      Array.from({ length: VALIDATIONS.limit + 3 }, () => validate("", address)),
    );
    expect(many.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});

describe("pages that must not reveal accounts", () => {
  it("answer a registration alike for a free and a registered address, and mail the owner", async () => {
    await account(service, "Known");
    const send = async (email: string, fields: Record<string, string> = {}) => {
      const form = { ...registrationOf("unknown_one"), email, ...fields };
      const response = await service.fetch("/account/create", formOf(form, HTML));
      return [response.status, (await response.text()).replaceAll(email, "…").replace(/id="[^"]*"/g, "")];
    };
    const known = await send("known@example.com");
    expect(known).toEqual(await send("fresh@example.com"));
    expect((await send("known@example.com", { password: "short" }))[0]).toBe(422);
    expect(await findAccount(env.PATRONS, { username: "unknown_one" })).toMatchObject({
      email: "fresh@example.com",
    });
    expect(await mailTo("Known@example.com")).toContain("you already have one");
    expect((await service.fetch(await linkTo("Known@example.com"))).status).toBe(200);
  });

  it("answer a login alike for a wrong password and an unknown account", async () => {
    const pages = ["taken", "nobody"].map(async (name) => {
      const fields = { username: `${name}@example.com`, password: "wrong one" };
      const response = await service.fetch("/account/login", formOf(fields, HTML));
      return [response.status, (await response.text()).replaceAll(fields.username, "…")];
    });
    const [wrong, unknown] = await Promise.all(pages);
    expect(unknown).toEqual(wrong);
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  PASSWORD,
  account,
  cookieHeader,
  formOf,
  jsonOf,
  logIn,
  mailTo,
} from "../../support/worker/accounts.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const network = fakeNetwork();
const HTML = { Accept: "text/html" };
type Cookie = { Cookie: string };

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch(path, { headers });
const patron = async (username: string): Promise<Cookie> => {
  await account(service, username);
  return cookieHeader(await logIn(service, username));
};

describe("/account/api-key", () => {
  it("creates a key pair, shows it once, replaces and deletes it", async () => {
    const cookie = await patron("Coder");
    const login = async (keys: unknown): Promise<number> =>
      (await service.fetch("/account/login", jsonOf(keys))).status;
    const make = (password: string, headers = {}): Promise<Response> =>
      service.fetch("/account/api-key", formOf({ password }, { ...cookie, ...headers }));
    const keys = await (await make(PASSWORD)).json<{ access: string; secret: string }>();
    const page = async (): Promise<string> => (await get("/account/api-key", { ...cookie, ...HTML })).text();
    expect(await page()).toContain("<dd>never</dd>");
    expect(await login(keys)).toBe(200);
    expect(await page()).toContain('<time datetime="2100-11-21">');
    expect(await page()).toContain(keys.access);
    expect(await page()).not.toContain(keys.secret);
    const other = await make(PASSWORD, HTML);
    expect(await other.text()).toContain("Copy the secret now");
    expect(await login(keys)).toBe(400);
    const removed = await service.fetch("/account/api-key", { method: "DELETE", headers: cookie });
    expect(await removed.json()).toEqual({ status: "ok" });
    const byForm = await service.fetch("/account/api-key/delete", formOf({}, { ...cookie, ...HTML }));
    expect(byForm.headers.get("Location")).toBe("/account/api-key");
    expect((await get("/account/api-key", cookie)).status).toBe(200);
  });
  it("asks for the password, and tells the owner by email", async () => {
    const cookie = await patron("Owner");
    const make = (password: string, headers = {}): Promise<Response> =>
      service.fetch("/account/api-key", formOf({ password }, { ...cookie, ...headers }));
    const bare = await service.fetch("/account/api-key", { method: "POST", headers: cookie });
    expect([bare.status, (await make("")).status, (await make("wrong")).status]).toEqual([422, 422, 422]);
    const page = await make("wrong", HTML);
    expect([page.status, (await page.text()).includes('id="password-error"')]).toEqual([422, true]);
    expect(await mailTo("Owner@example.com")).toBe("");
    expect((await make(PASSWORD)).status).toBe(200);
    expect(await mailTo("Owner@example.com")).toContain("API key");
  });
});

describe("POST /account/api-key with OpenID Connect", () => {
  const ISSUER = "https://id.example";
  const elsewhere = testService({
    IDENTITY_PROVIDER: "oidc",
    OIDC_ISSUER: ISSUER,
    OIDC_CLIENT_ID: "carrel",
  });
  elsewhere.now = service.now;
  const answers = (status: number, sub: string) => ({
    [`${ISSUER}/.well-known/openid-configuration`]: () =>
      Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/t`, userinfo_endpoint: `${ISSUER}/u` }),
    [`${ISSUER}/t`]: () =>
      status === 200
        ? Response.json({ access_token: "t" })
        : Response.json({ error: "invalid_grant" }, { status }),
    [`${ISSUER}/u`]: () =>
      Response.json({ sub, email: "Federated@example.com", email_verified: true, name: "F" }),
  });

  it("asks the provider for the password, and expects the account's subject", async () => {
    const cookie = await patron("Federated");
    await env.PATRONS.exec(
      "UPDATE account SET subject = 'https://id.example#sub-1', password_hash = NULL WHERE username = 'Federated'",
    );
    const make = (): Promise<Response> =>
      elsewhere.fetch("/account/api-key", formOf({ password: "theirs" }, cookie));
    for (const status of [400, 401]) {
      network.answer(answers(status, "sub-1"));
      expect((await make()).status).toBe(422);
    }
    network.answer(answers(200, "sub-2"));
    expect((await make()).status).toBe(422);
    network.answer({});
    expect((await make()).status).toBe(503);
    network.answer(answers(200, "sub-1"));
    const made = await make();
    expect(made.status).toBe(200);
    expect((await elsewhere.fetch("/account/login", jsonOf(await made.json()))).status).toBe(200);
  });
});

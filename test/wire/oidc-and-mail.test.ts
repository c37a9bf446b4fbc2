import { describe, expect, it } from "vitest";
import { oidcProvider } from "../../src/worker/accounts/oidc.ts";
import { postMail } from "../../src/worker/platform/mail.ts";
import { type Answer, testServer } from "../support/node/test-server.ts";

const server = testServer();
const CLIENT = { ip: "192.0.2.1" };

describe("oidc", () => {
  let issuers = 0;
  /** An issuer that no test has asked before, so that nothing of it is known. */
  const newIssuer = () => `${server.url}/${(issuers += 1)}`;
  const describing = (issuer: string) => ({
    issuer,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/user`,
  });
  const joe = {
    sub: "248289",
    email: "Joe@example.com",
    email_verified: true,
    name: "Joe B.",
    preferred_username: "joe",
  };
  const answering = (issuer: string, answers: Record<string, Answer>) => {
    const all: Record<string, Answer> = {
      "/.well-known/openid-configuration": { body: describing(issuer) },
      "/token": { body: { access_token: "token", token_type: "Bearer" } },
      "/user": { body: joe },
      ...answers,
    };
    server.answer = ({ url }) => all[(server.url + url).slice(issuer.length)] ?? { status: 404, body: "" };
  };
  const provider = (issuer: string, now = 0) =>
    oidcProvider({
      issuer,
      clientId: "carrel:1",
      clientSecret: "s/cret",
      authenticateKeys: async () => ({ ok: false, reason: "invalid_s3keys" }),
      now: () => now,
    });
  const login = (issuer: string, now?: number) =>
    provider(issuer, now).authenticate("joe@example.com", "pass & word", CLIENT);
  const paths = () => server.asked.map(({ url }) => url.replace(/^\/\d+/, ""));

  it("logs somebody in", async () => {
    const issuer = newIssuer();
    answering(issuer, {});
    expect(await login(issuer)).toEqual({
      ok: true,
      identity: {
        subject: `${issuer}#248289`,
        email: "joe@example.com",
        emailVerified: true,
        screenName: "Joe B.",
        preferredName: "joe",
        locked: false,
        specialAccess: false,
      },
    });
    const [, token, user] = server.asked;
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
      grant_type: "password",
      username: "joe@example.com",
      password: "pass & word",
      scope: "openid email profile",
    });
    const basic = Buffer.from("carrel%3A1:s%2Fcret").toString("base64");
    expect(token).toMatchObject({ method: "POST", headers: { authorization: `Basic ${basic}` } });
    expect(user).toMatchObject({ method: "GET", headers: { authorization: "Bearer token" } });
  });

  it("sends its secret in the form where the issuer wants that", async () => {
    const issuer = newIssuer();
    const methods = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
    answering(issuer, {
      "/.well-known/openid-configuration": { body: { ...describing(issuer), ...methods } },
    });
    expect(await login(issuer)).toMatchObject({ ok: true });
    const form = Object.fromEntries(new URLSearchParams(server.asked[1]?.body));
    expect(form).toMatchObject({ client_id: "carrel:1", client_secret: "s/cret" });
    expect(server.asked[1]?.headers.authorization).toBeUndefined();
  });

  it("asks the issuer for its description once an hour", async () => {
    const issuer = newIssuer();
    answering(issuer, {});
    await login(issuer, 0);
    await login(issuer, 3_599_999);
    expect(paths().filter((path) => path.startsWith("/.well"))).toHaveLength(1);
    await login(issuer, 3_600_000);
    expect(paths().filter((path) => path.startsWith("/.well"))).toHaveLength(2);
  });

  it.each([
    [{ ...joe, email_verified: undefined }, { emailVerified: false }],
    [{ ...joe, email_verified: "true" }, { emailVerified: true }],
    [{ ...joe, email_verified: "false" }, { emailVerified: false }],
    [
      { sub: "1", email: "jane.d@example.com" },
      { screenName: "jane.d", preferredName: "jane.d" },
    ],
    [{ ...joe, preferred_username: "jane@corp" }, { preferredName: "jane" }],
    [{ ...joe, preferred_username: "@jane" }, { preferredName: "@jane" }],
  ])("understands %j", async (body, identity) => {
    const issuer = newIssuer();
    answering(issuer, { "/user": { body } });
    expect(await login(issuer)).toMatchObject({ ok: true, identity });
  });

  const CONFIGURATION = "/.well-known/openid-configuration";
  it.each<[string, string, Answer, string]>([
    ["bad password", "/token", { status: 400, body: { error: "invalid_grant" } }, "account_bad_password"],
    ["bad client", "/token", { status: 401, body: { error: "invalid_client" } }, "security_error"],
    ["no such grant", "/token", { status: 400, body: { error: "unsupported_grant_type" } }, "security_error"],
    ["500", "/token", { status: 500, body: "" }, "undefined_error"],
    ["504", "/token", { status: 504, body: "" }, "request_timeout"],
    ["no token", "/token", { body: {} }, "undefined_error"],
    ["a token with a line break", "/token", { body: { access_token: "a\nb" } }, "undefined_error"],
    [
      "a redirect",
      "/token",
      { status: 307, headers: { Location: "/elsewhere" }, body: "" },
      "undefined_error",
    ],
    ["nobody", "/user", { status: 401, body: "" }, "undefined_error"],
    ["no subject", "/user", { body: { ...joe, sub: undefined } }, "undefined_error"],
    ["no address", "/user", { body: { ...joe, email: undefined } }, "invalid_email"],
    ["no description", CONFIGURATION, { status: 404, body: "" }, "undefined_error"],
    ["no JSON", CONFIGURATION, { body: "<html>" }, "undefined_error"],
    ["another issuer", CONFIGURATION, { body: describing("http://127.0.0.1:1") }, "security_error"],
  ])("fails with %s", async (_name, path, answer, reason) => {
    const issuer = newIssuer();
    answering(issuer, { [path]: answer });
    expect(await login(issuer)).toEqual({ ok: false, reason });
  });

  it("refuses endpoints that are less safe than the issuer", async () => {
    const issuer = newIssuer();
    const body = { ...describing(issuer), token_endpoint: "ftp://127.0.0.1/token" };
    answering(issuer, { [CONFIGURATION]: { body } });
    expect(await login(issuer)).toEqual({ ok: false, reason: "security_error" });
    expect(server.asked).toHaveLength(1);
  });

  it("does not ask about what is no address", async () => {
    const result = await provider(newIssuer()).authenticate("joe", "x", CLIENT);
    expect(result).toEqual({ ok: false, reason: "invalid_email" });
    expect(server.asked).toEqual([]);
  });

  it("knows nobody without his password", async () => {
    expect(await provider(newIssuer()).lookup({ email: "joe@example.com" })).toBeNull();
  });
});

describe("mail over HTTP", () => {
  const send = (url = `${server.url}/mail`) =>
    postMail(
      { url, token: "secret-token" },
      { from: "library@example.com", to: "joe@example.com", subject: "Welcome", text: "Hello" },
    );

  it("is handed over", async () => {
    server.answer = () => ({ status: 202, body: "queued" });
    expect(await send()).toBe(true);
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0]).toMatchObject({
      method: "POST",
      url: "/mail",
      headers: { authorization: "Bearer secret-token", "content-type": "application/json" },
    });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({
      from: "library@example.com",
      to: "joe@example.com",
      subject: "Welcome",
      text: "Hello",
    });
  });

  it.each([400, 500, 302])("is not taken when the service answers %i", async (status) => {
    server.answer = () => ({ status, headers: { Location: "/elsewhere" }, body: "joe@example.com is bad" });
    expect(await send()).toBe(false);
    expect(server.asked).toHaveLength(1);
  });

  it("is not taken when nobody answers", async () => {
    expect(await send("http://127.0.0.1:1/")).toBe(false);
  });
});

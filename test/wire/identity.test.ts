import { describe, expect, it } from "vitest";
import { xauthProvider } from "../../src/worker/accounts/xauth.ts";
import { type Answer, type Asked, testServer } from "../support/node/test-server.ts";

const server = testServer();
const CLIENT = { ip: "192.0.2.1" };
const LARGE = "x".repeat(70_000);

describe("xauth", () => {
  const joe = {
    email: "joe@example.com",
    itemname: "@joe",
    screenname: "Joe B.",
    verified: true,
    locked: false,
  };
  const identity = {
    subject: "@joe",
    email: "joe@example.com",
    emailVerified: true,
    screenName: "Joe B.",
    preferredName: "@joe",
    locked: false,
    specialAccess: false,
  };
  const success = (values: object) => ({ body: { success: true, version: 1, values } });
  const failure = (values: object) => ({ body: { success: false, version: 1, values } });
  const opOf = ({ url }: Asked) => new URL(url, server.url).searchParams.get("op") ?? "keys";
  /** Lets the server answer some operations; `info` tells of joe. */
  const answering = (answers: Record<string, Answer>) => {
    const all: Record<string, Answer> = { info: success(joe), authenticate: success(joe), ...answers };
    server.answer = (asked) => all[opOf(asked)] ?? { status: 404, body: "unexpected" };
  };
  const provider = (url = `${server.url}/xauth?developer=1`) =>
    xauthProvider({
      url,
      keyUrl: `${server.url}/keys`,
      access: "our-access",
      secret: "our-secret",
      random: () => 0.25,
    });
  const login = () => provider().authenticate(" Joe@Example.com", "pass word", CLIENT);
  const bodies = () => server.asked.map((asked) => [opOf(asked), JSON.parse(asked.body || "null")]);
  const ours = { access: "our-access", secret: "our-secret" };

  it("logs somebody in, with the service's own keys in every call", async () => {
    answering({});
    expect(await login()).toEqual({ ok: true, identity });
    expect(bodies()).toEqual([
      ["authenticate", { email: "joe@example.com", password: "pass word", ...ours }],
      ["info", { email: "joe@example.com", ...ours }],
    ]);
    expect(server.asked[0]).toMatchObject({ method: "POST", url: "/xauth?developer=1&op=authenticate" });
    expect(server.asked[0]?.headers["content-type"]).toBe("application/json");
  });

  it.each([
    [{ s3: { access: "a", secret: "s" } }, "a:s"],
    [{ access: "a", secret: "s" }, "a:s"],
  ])("passes on the keys that come with the login: %j", async (keys, lendingCredential) => {
    answering({ authenticate: success({ ...joe, ...keys }) });
    expect(await login()).toEqual({ ok: true, identity, lendingCredential });
  });

  it("tells of special access and of addresses that are not verified", async () => {
    answering({ info: success({ ...joe, verified: false, has_disability_access: true }) });
    expect(await login()).toEqual({
      ok: true,
      identity: { ...identity, emailVerified: false, specialAccess: true },
    });
  });

  it.each<[string, Answer, string]>([
    ["bad password", failure({ reason: "account_bad_password" }), "account_bad_password"],
    ["no account", failure({ reason: "account_not_found" }), "account_not_found"],
    ["blocked", failure({ reason: "account_blocked" }), "account_locked"],
    ["locked", failure({ reason: "account_locked" }), "account_locked"],
    ["not verified", failure({ reason: "account_not_verified" }), "ia_account_not_verified"],
    ["no reason", failure({}), "undefined_error"],
    ["an error", { body: { error: "odd", code: 500 } }, "odd"],
    ["a long error", { body: { error: LARGE.slice(0, 500) } }, "x".repeat(100)],
    ["403", { status: 403, body: "no" }, "security_error"],
    ["504", { status: 504, body: "" }, "request_timeout"],
    ["500", { status: 500, body: success(joe).body }, "undefined_error"],
    ["a redirect", { status: 302, headers: { Location: "/xauth?op=info" }, body: "" }, "undefined_error"],
    ["no JSON", { body: "<html>" }, "undefined_error"],
    ["JSON of another form", { body: [1] }, "undefined_error"],
    ["no address", success({ itemname: "@joe" }), "undefined_error"],
    ["an endless answer", { body: LARGE }, "undefined_error"],
  ])("%s", async (_name, authenticate, reason) => {
    answering({ authenticate });
    expect(await login()).toEqual({ ok: false, reason });
    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ["unknown", failure({}), "account_not_found"],
    ["locked", success({ ...joe, locked: true }), "account_locked"],
    ["somebody else", success({ ...joe, email: "test@example.com" }), "undefined_error"],
    ["nobody", success({ email: "joe@example.com" }), "undefined_error"],
    ["500", { status: 500, body: "" }, "undefined_error"],
  ])("after the password was right: %s", async (_name, info, reason) => {
    answering({ info });
    expect(await login()).toEqual({ ok: false, reason });
  });

  it("does not ask about what is no address", async () => {
    expect(await provider().authenticate("joe", "x", CLIENT)).toEqual({ ok: false, reason: "invalid_email" });
    expect(server.asked).toEqual([]);
  });

  it("is not reached", async () => {
    const result = await provider("http://127.0.0.1:1/").authenticate("joe@example.com", "x", CLIENT);
    expect(result).toEqual({ ok: false, reason: "undefined_error" });
  });

  it("takes keys", async () => {
    answering({ keys: { body: { authorized: true, username: "Joe@example.com", itemname: "@joe" } } });
    expect(await provider().authenticateKeys("a", "s:t")).toEqual({
      ok: true,
      identity,
      lendingCredential: "a:s:t",
    });
    expect(server.asked[0]).toMatchObject({
      method: "GET",
      url: "/keys",
      headers: { authorization: "LOW a:s:t" },
    });
  });

  it.each<[string, Answer, string]>([
    ["not authorized", { body: { authorized: false, username: "joe@example.com" } }, "invalid_s3keys"],
    ["an error", { body: { error: "bad keys" } }, "invalid_s3keys"],
    ["401", { status: 401, body: { authorized: true, username: "joe@example.com" } }, "invalid_s3keys"],
    ["500", { status: 500, body: "" }, "undefined_error"],
  ])("refuses keys: %s", async (_name, keys, reason) => {
    answering({ keys });
    expect(await provider().authenticateKeys("a", "s")).toEqual({ ok: false, reason });
  });

  it.each(["s\r\nX-Header: 1", "é", ""])("never sends the key %j", async (secret) => {
    expect(await provider().authenticateKeys("", secret)).toEqual({ ok: false, reason: "invalid_s3keys" });
    expect(server.asked).toEqual([]);
  });

  it("looks somebody up", async () => {
    answering({});
    expect(await provider().lookup({ email: "JOE@example.com" })).toEqual(identity);
    expect(await provider().lookup({ subject: "@joe" })).toEqual(identity);
    expect(bodies().map(([, body]) => body)).toEqual([
      { email: "joe@example.com", ...ours },
      { itemname: "@joe", ...ours },
    ]);
    answering({ info: failure({}) });
    expect(await provider().lookup({ email: "joe@example.com" })).toBeNull();
  });

  const form = { email: "Joe@example.com", password: "long enough", screenName: "Joe", newsletters: true };

  it("registers somebody, whose address is not verified then", async () => {
    answering({ create: success({ email: "joe@example.com", screenname: "Joe", itemname: "@joe" }) });
    expect(await provider().register?.(form)).toMatchObject({ ok: true, identity: { emailVerified: false } });
    expect(bodies()).toEqual([
      [
        "create",
        {
          email: "joe@example.com",
          password: "long enough",
          screenname: "Joe",
          notifications: ["announce-general"],
          verified: false,
          "activation-type": "openlibrary",
          ...ours,
        },
      ],
    ]);
  });

  it("registers under another name when the one wished for is taken", async () => {
    const taken = failure({ screenname: ["taken"] });
    server.answer = ({ body }) =>
      JSON.parse(body).screenname === "Joe2500" ? success({ ...joe, verified: undefined }) : taken;
    expect(await provider().register?.(form)).toMatchObject({ ok: true });
    expect(server.asked).toHaveLength(2);
    server.answer = () => taken;
    expect(await provider().register?.(form)).toEqual({ ok: false, reason: "username_registered" });
    expect(server.asked).toHaveLength(2 + 4);
  });

  it.each<[Answer, string]>([
    [failure({ email: ["registered"] }), "bad_email"],
    [failure({ password: "short" }), "bad_password"],
    [failure({ reason: "odd" }), "odd"],
    [{ status: 504, body: "" }, "request_timeout"],
    [{ status: 500, body: "" }, "undefined_error"],
  ])("does not register: %j", async (create, reason) => {
    answering({ create });
    expect(await provider().register?.(form)).toEqual({ ok: false, reason });
    expect(server.asked).toHaveLength(1);
  });

  it("confirms an address", async () => {
    answering({ activate: success(joe) });
    expect(await provider().activate?.("token", "")).toEqual({ ok: true, identity });
    expect(bodies()[0]).toEqual(["activate", { token: "token", "welcome-email": true, ...ours }]);
    answering({ activate: failure({ reason: "bad_token" }) });
    expect(await provider().activate?.("token", "")).toEqual({ ok: false, reason: "bad_token" });
  });

  it("has logins by mailed codes", async () => {
    answering({ issue_otp: success({}), redeem_otp: success(joe) });
    expect(await provider().otp?.issue("Joe@example.com", CLIENT.ip)).toEqual({ ok: true });
    expect(await provider().otp?.redeem("Joe@example.com", "123456", CLIENT.ip)).toEqual({
      ok: true,
      identity,
    });
    expect(bodies().slice(0, 2)).toEqual([
      ["issue_otp", { email: "joe@example.com", service: "ol", ...ours }],
      ["redeem_otp", { email: "joe@example.com", password: "123456", ...ours }],
    ]);
    expect(server.asked[0]?.headers["x-originating-ip"]).toBe(CLIENT.ip);
    answering({
      issue_otp: { status: 400, body: { error: "later", code: 429 } },
      redeem_otp: failure({ reason: "invalid_otp" }),
    });
    expect(await provider().otp?.issue("joe@example.com", CLIENT.ip)).toEqual({
      ok: false,
      rateLimited: true,
    });
    expect(await provider().otp?.redeem("joe@example.com", "1", CLIENT.ip)).toEqual({
      ok: false,
      reason: "invalid_otp",
    });
  });
});

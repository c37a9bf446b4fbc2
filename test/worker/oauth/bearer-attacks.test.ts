import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/catalog/scopes.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { PASSWORD, cookieHeader, formOf, jsonOf } from "../../support/worker/accounts.ts";
import { type Attack, bearer, consent, oauthWorld, refusal } from "../../support/worker/oauth.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const world = oauthWorld(service);
const { get, makeToken, newPerson, refresh, shelve, statusWith, tokens } = world;
const HOUR = 3_600_000;

beforeAll(world.open);

const bearers: Attack[] = [
  ["a token that was made up", () => statusWith(`carrel_oat_${"A".repeat(200)}`), 401],
  [
    "a token with another user's name",
    async () => {
      const { access_token: token } = await tokens();
      const body = token.slice("carrel_oat_".length, -6);
      const text = Buffer.from(body, "base64url").toString().replace("Victim", "Person");
      return statusWith(`carrel_oat_${Buffer.from(text).toString("base64url")}AAAAAA`);
    },
    401,
  ],
  [
    "an access token after its hour",
    async () => {
      const { access_token: token } = await tokens();
      service.now += HOUR + 1;
      return statusWith(token);
    },
    401,
  ],
  [
    "a token in the address",
    async () => refusal(await get(`/account/loans.json?access_token=${(await tokens()).access_token}`)),
    "400",
  ],
  [
    "a token as session cookie",
    async () =>
      (await get("/account/loans.json", { Cookie: `session=${(await tokens()).access_token}` })).status,
    401,
  ],
  [
    "a token without the scope, which is named",
    async () => {
      const response = await shelve(bearer((await tokens({ scope: "read" })).access_token));
      return [response.status, response.headers.get("WWW-Authenticate")];
    },
    [
      403,
      'Bearer error="insufficient_scope", scope="shelves", resource_metadata="http://carrel.test/.well-known/oauth-protected-resource"',
    ],
  ],
  [
    "private data at a public address without the scope",
    async () => {
      await service.fetch("/account/privacy", formOf({ public_readlog: "no" }, world.cookie));
      const path = "/people/Victim/books/want-to-read.json";
      const statuses = [];
      for (const scope of ["ratings", "read"]) {
        statuses.push((await get(path, bearer((await tokens({ scope })).access_token))).status);
      }
      return statuses;
    },
    [403, 200],
  ],
  [
    "a scope that the account has no right to",
    async () => (await get("/admin.json", bearer((await tokens({ scope: "admin" })).access_token))).status,
    403,
  ],
  [
    "a token that makes another token",
    async () => {
      const { access_token: token } = await tokens({ scope: SCOPES.join(" ") });
      const fields = { name: "x", scope: "admin", password: PASSWORD };
      return (await service.fetch("/account/tokens", formOf(fields, bearer(token)))).status;
    },
    403,
  ],
  [
    "a token that changes the password",
    async () => {
      const { access_token: token } = await tokens({ scope: SCOPES.join(" ") });
      const fields = { password: PASSWORD, new_password: "another long one" };
      return (await service.fetch("/account/password", formOf(fields, bearer(token)))).status;
    },
    403,
  ],
  [
    "a token that allows an app",
    async () => {
      const { access_token: token } = await tokens({ scope: SCOPES.join(" ") });
      return (await consent(service, world.app, { cookie: bearer(token) })).status;
    },
    403,
  ],
  [
    "a cookie beside the token: the token counts",
    async () => {
      const other = await newPerson();
      const { access_token: token } = await tokens();
      const answer = await get("/oauth2/userinfo", { ...bearer(token), ...other.cookie });
      return [(await answer.json<{ username: string }>()).username, answer.headers.getSetCookie()];
    },
    ["Victim", []],
  ],
  [
    "a wrong token beside a good cookie",
    async () =>
      (await get("/account/loans.json", { ...bearer(`carrel_oat_${"A".repeat(99)}`), ...world.cookie }))
        .status,
    401,
  ],
  [
    "a token of a blocked account",
    async () => {
      const { username, cookie: own } = await newPerson();
      const { access_token: token } = await tokens({ cookie: own });
      await setAccount(env.PATRONS, username, { status: "blocked" });
      await env.PATRON.getByName(username.toLowerCase()).bar(true);
      service.now += 6000;
      return [await statusWith(token), (await shelve(bearer(token))).status];
    },
    [401, 401],
  ],
  [
    "a token after a change of the password",
    async () => {
      const { cookie: own } = await newPerson();
      const pat = await makeToken(own, "read shelves");
      const { refresh_token: token } = await tokens({ cookie: own });
      await service.fetch(
        "/account/password",
        formOf(
          { password: PASSWORD, new_password: "another long one", new_password_again: "another long one" },
          own,
        ),
      );
      return [(await shelve(bearer(pat))).status, await refusal(await refresh(token))];
    },
    [401, "400 invalid_grant"],
  ],
  [
    "a token of an account that is removed",
    async () => {
      const { username, cookie: own } = await newPerson();
      const { access_token: token } = await tokens({ cookie: own });
      const removed = await service.fetch(
        "/account/remove",
        formOf({ confirm: username, password: PASSWORD }, own),
      );
      return [removed.status < 400, (await shelve(bearer(token))).status];
    },
    [true, 401],
  ],
  [
    "a token of an account that has lost its role",
    async () => {
      const { username, cookie: own } = await newPerson();
      const group = {
        key: "/usergroup/api",
        type: "/type/usergroup",
        members: [{ key: `/people/${username}` }],
      };
      await service.load({ key: `/people/${username}`, type: "/type/user" }, group);
      const pat = await makeToken(own, "edit");
      const put = () =>
        service.fetch("/works/OL1W.json", {
          ...jsonOf({ key: "/works/OL1W", type: { key: "/type/work" }, title: "Emma" }, bearer(pat)),
          method: "PUT",
        });
      const before = await put();
      await service.load({ ...group, revision: 2, members: [] });
      return [before.status, (await put()).status];
    },
    [200, 403],
  ],
  [
    "a revoked token in the isolate that knew it, and at once for changes",
    async () => {
      const { cookie: own } = await newPerson();
      const pat = await makeToken(own, "read shelves");
      const first = await statusWith(pat);
      const { tokens: list } = await (
        await get("/account/tokens.json", own)
      ).json<{ tokens: { id: string }[] }>();
      await service.fetch("/account/tokens/revoke", formOf({ id: list[0]?.id ?? "" }, own));
      return [first, await statusWith(pat), (await shelve(bearer(pat))).status];
    },
    [200, 401, 401],
  ],
  [
    "a revoked and an unknown token have one answer",
    async () => {
      const { cookie: own } = await newPerson();
      const pat = await makeToken(own, "read");
      await service.fetch("/oauth2/revoke", formOf({ token: pat }));
      const answers = [pat, `carrel_pat_${"A".repeat(pat.length - 11)}`].map((token) =>
        get("/account/loans.json", bearer(token)),
      );
      const [revoked, unknown] = await Promise.all(answers);
      return [
        (await revoked?.text()) === (await unknown?.text()),
        revoked?.headers.get("WWW-Authenticate") === unknown?.headers.get("WWW-Authenticate"),
        revoked?.status,
      ];
    },
    [true, true, 401],
  ],
  [
    "someone else's token in the list to revoke",
    async () => {
      const { cookie: own } = await newPerson();
      const pat = await makeToken(own, "read");
      const { tokens: list } = await (
        await get("/account/tokens.json", own)
      ).json<{ tokens: { id: string }[] }>();
      const other = await service.fetch(
        "/account/tokens/revoke",
        formOf({ id: list[0]?.id ?? "" }, world.cookie),
      );
      return [other.status, await statusWith(pat)];
    },
    [404, 200],
  ],
  ["a personal token that lasts longer than allowed", async () => makeToken(world.cookie, "read", "366"), ""],
  [
    "a personal token without the password",
    async () =>
      (await service.fetch("/account/tokens", formOf({ name: "x", scope: "read" }, world.cookie))).status,
    422,
  ],
  [
    "huge headers",
    async () => (await get("/account/loans.json", bearer(`carrel_pat_${"A".repeat(8000)}`))).status,
    401,
  ],
  [
    "a cookie from a token has its scopes only",
    async () => {
      const { access_token: token } = await tokens({ scope: "read" });
      const answer = await service.fetch("/oauth2/token-to-cookie", formOf({ access_token: token }));
      const own = cookieHeader(answer);
      return [
        answer.status,
        (await get("/account/loans.json", own)).status,
        (await shelve(own)).status,
        (
          await service.fetch(
            "/account/tokens",
            formOf({ name: "x", scope: "read", password: PASSWORD }, own),
          )
        ).status,
      ];
    },
    [200, 200, 403, 403],
  ],
  [
    "a cookie from a token ends with the app's access",
    async () => {
      const { access_token: token, refresh_token: last } = await tokens({ scope: "read" });
      const own = cookieHeader(
        await service.fetch("/oauth2/token-to-cookie", formOf({ access_token: token })),
      );
      await service.fetch("/oauth2/revoke", formOf({ client_id: world.app.client_id, token: last }));
      return (await get("/account/loans.json", own)).status;
    },
    401,
  ],
  [
    "a personal token as the token of an app",
    async () =>
      (
        await service.fetch(
          "/oauth2/token-to-cookie",
          formOf({ access_token: await makeToken(world.cookie, "read") }),
        )
      ).status,
    401,
  ],
];

describe.each([["by a bearer:", bearers]])("attacks %s", (_group, rows) => {
  it.each(rows.map(([title, attack, expected]) => ({ title, attack, expected })))(
    "$title",
    async ({ attack, expected }) => {
      expect(await attack()).toEqual(expected);
    },
  );
});

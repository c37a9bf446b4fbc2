import { beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, cookieHeader, formOf, logIn } from "../../support/worker/accounts.ts";
import {
  type Attack,
  type TokenPair,
  VERIFIER,
  challengeOf,
  codeExchange,
  exchange,
  oauthWorld,
  refusal,
  registerApp,
} from "../../support/worker/oauth.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const world = oauthWorld(service);
const { codeFor, redeem, refresh, statusWith, tokens } = world;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeAll(world.open);

const exchanges: Attack[] = [
  [
    "a code used twice ends all its tokens",
    async () => {
      const code = await codeFor();
      const first = await (await redeem(code)).json<TokenPair>();
      const before = await statusWith(first.access_token);
      return [
        before,
        await refusal(await redeem(code)),
        await statusWith(first.access_token),
        await refusal(await refresh(first.refresh_token)),
      ];
    },
    [200, "400 invalid_grant", 401, "400 invalid_grant"],
  ],
  [
    "two uses of a code at the same time give tokens once, and end them",
    async () => {
      const code = await codeFor();
      const both = await Promise.all([redeem(code), redeem(code)]);
      return both.map(({ status }) => status).toSorted();
    },
    [200, 400],
  ],
  [
    "a wrong verifier ends the code",
    async () => {
      const code = await codeFor();
      return [
        await refusal(await redeem(code, { code_verifier: "w".repeat(43) })),
        await refusal(await redeem(code)),
      ];
    },
    ["400 invalid_grant", "400 invalid_grant"],
  ],
  [
    "no verifier",
    async () => refusal(await redeem(await codeFor(), { code_verifier: "" })),
    "400 invalid_grant",
  ],
  [
    "the challenge as verifier",
    async () => refusal(await redeem(await codeFor(), { code_verifier: challengeOf(VERIFIER) })),
    "400 invalid_grant",
  ],
  [
    "a code of another app",
    async () => {
      const other = await registerApp(service);
      return refusal(await redeem(await codeFor(), { client_id: other.client_id }));
    },
    "400 invalid_grant",
  ],
  [
    "another redirect address",
    async () => refusal(await redeem(await codeFor(), { redirect_uri: "https://evil.example/back" })),
    "400 invalid_grant",
  ],
  [
    "an old code",
    async () => {
      const code = await codeFor();
      service.now += 2 * MINUTE;
      return refusal(await redeem(code));
    },
    "400 invalid_grant",
  ],
  [
    "a code that was made up",
    async () => refusal(await redeem(`carrel_oac_${"A".repeat(200)}`)),
    "400 invalid_grant",
  ],
  [
    "an access token as code",
    async () => refusal(await redeem((await tokens()).access_token)),
    "400 invalid_grant",
  ],
  ["a code in place of a token", async () => statusWith(await codeFor()), 401],
  [
    "a refresh token in place of an access token",
    async () => statusWith((await tokens()).refresh_token),
    401,
  ],
  [
    "a refresh token used twice ends all tokens",
    async () => {
      const first = await tokens();
      const second = await (await refresh(first.refresh_token)).json<TokenPair>();
      const replay = await refusal(await refresh(first.refresh_token));
      return [
        replay,
        await statusWith(second.access_token),
        await refusal(await refresh(second.refresh_token)),
      ];
    },
    ["400 invalid_grant", 401, "400 invalid_grant"],
  ],
  [
    "a refresh token of another app",
    async () => {
      const other = await registerApp(service);
      return refusal(await refresh((await tokens()).refresh_token, { client_id: other.client_id }));
    },
    "400 invalid_grant",
  ],
  [
    "a scope beyond the grant at refresh",
    async () => refusal(await refresh((await tokens()).refresh_token, { scope: "read admin" })),
    "400 invalid_scope",
  ],
  [
    "a scope beyond the request at consent",
    async () => (await tokens({ scope: "read", chosen: "read admin edit" })).scope,
    "read",
  ],
  [
    "a confidential app without its secret",
    async () =>
      refusal(await exchange(service, { client_id: world.confidential.client_id, ...codeExchange("x") })),
    "401 invalid_client",
  ],
  [
    "a confidential app with a wrong secret",
    async () =>
      refusal(
        await exchange(service, {
          client_id: world.confidential.client_id,
          client_secret: "x",
          ...codeExchange("x"),
        }),
      ),
    "401 invalid_client",
  ],
  [
    "the password grant",
    async () =>
      refusal(
        await exchange(service, {
          client_id: world.app.client_id,
          grant_type: "password",
          username: "Victim",
          password: PASSWORD,
        }),
      ),
    "400 unsupported_grant_type",
  ],
  [
    "a refresh token that has ended",
    async () => {
      const { refresh_token: token } = await tokens();
      service.now += 61 * 24 * HOUR;
      world.cookie = cookieHeader(await logIn(service, "Victim"));
      return refusal(await refresh(token));
    },
    "400 invalid_grant",
  ],
  [
    "revocation by another app",
    async () => {
      const other = await registerApp(service);
      const { access_token: token } = await tokens();
      const { status } = await service.fetch("/oauth2/revoke", formOf({ client_id: other.client_id, token }));
      return [status, await statusWith(token)];
    },
    [200, 200],
  ],
];

describe.each([["at the token endpoint:", exchanges]])("attacks %s", (_group, rows) => {
  it.each(rows.map(([title, attack, expected]) => ({ title, attack, expected })))(
    "$title",
    async ({ attack, expected }) => {
      expect(await attack()).toEqual(expected);
    },
  );
});

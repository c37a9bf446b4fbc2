import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import {
  type Attack,
  REDIRECT,
  VERIFIER,
  bearer,
  codeRequest,
  consent,
  oauthWorld,
  redirected,
  refusal,
  registerApp,
} from "../../support/worker/oauth.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const world = oauthWorld(service);
const { allow, get, makeToken, newPerson, shelve, tokens } = world;
const HTML = { Accept: "text/html" };
const HOUR = 3_600_000;
const SITE = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };

beforeAll(world.open);

const requests: Attack[] = (
  [
    ["an unknown app", { client_id: "unknown" }, "400"],
    ["no app", { client_id: "" }, "400"],
    ["another address", { redirect_uri: "https://evil.example/back" }, "400"],
    ["another path", { redirect_uri: `${REDIRECT}/more` }, "400"],
    ["a path that leads up", { redirect_uri: "https://app.example/x/../back" }, "400"],
    ["another port", { redirect_uri: "https://app.example:8443/back" }, "400"],
    ["a fragment", { redirect_uri: `${REDIRECT}#x` }, "400"],
    ["a query", { redirect_uri: `${REDIRECT}?next=https://evil.example` }, "400"],
    ["a name before the host", { redirect_uri: "https://app.example@evil.example/back" }, "400"],
    ["a subdomain", { redirect_uri: "https://app.example.evil.example/back" }, "400"],
    ["a host that looks alike (punycode)", { redirect_uri: "https://xn--pp-hkb.example/back" }, "400"],
    ["a host that looks alike (Unicode)", { redirect_uri: "https://аpp.example/back" }, "400"],
    ["plain HTTP", { redirect_uri: "http://app.example/back" }, "400"],
    ["a backslash", { redirect_uri: "https://app.example\\@evil.example/back" }, "400"],
    ["a line break", { redirect_uri: `${REDIRECT}\r\nSet-Cookie: a=b` }, "400"],
    ["a script", { redirect_uri: "javascript:alert(1)" }, "400"],
    ["an implicit grant", { response_type: "token" }, "303 unsupported_response_type"],
    ["no challenge", { code_challenge: "" }, "303 invalid_request"],
    [
      "a plain challenge",
      { code_challenge: VERIFIER, code_challenge_method: "plain" },
      "303 invalid_request",
    ],
    ["no method", { code_challenge_method: "" }, "303 invalid_request"],
    ["an unknown scope", { scope: "read everything" }, "303 invalid_scope"],
    ["another resource", { resource: "https://evil.example" }, "303 invalid_target"],
  ] as const
).map(([title, change, expected]) => [
  title,
  async () => {
    const query = new URLSearchParams(codeRequest(world.app, change));
    return refusal(await get(`/oauth2/authorize?${query}`, { ...world.cookie, ...HTML }));
  },
  expected,
]);

const registrations: Attack[] = (
  [
    ["a script as address", { redirect_uris: ["javascript:alert(1)"] }, "400 invalid_redirect_uri"],
    ["data as address", { redirect_uris: ["data:text/html,x"] }, "400 invalid_redirect_uri"],
    ["plain HTTP", { redirect_uris: ["http://app.example/back"] }, "400 invalid_redirect_uri"],
    [
      "a host that only begins like the own machine",
      { redirect_uris: ["http://127.0.0.1.evil.example/"] },
      "400 invalid_redirect_uri",
    ],
    ["a fragment", { redirect_uris: [`${REDIRECT}#x`] }, "400 invalid_redirect_uri"],
    ["a name before the host", { redirect_uris: ["https://a@app.example/"] }, "400 invalid_redirect_uri"],
    ["no address", { redirect_uris: [] }, "400 invalid_redirect_uri"],
    [
      "addresses without end",
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `${REDIRECT}/${n}`) },
      "400 invalid_redirect_uri",
    ],
    ["an implicit grant", { grant_types: ["implicit"] }, "400 invalid_client_metadata"],
    ["a name without end", { client_name: "x".repeat(2000) }, "400 invalid_client_metadata"],
  ] as const
).map(([title, metadata, expected]) => [
  title,
  async () =>
    refusal(
      await service.fetch(
        "/oauth2/register",
        jsonOf({ client_name: "App", redirect_uris: [REDIRECT], ...metadata }),
      ),
    ),
  expected,
]);

const browsers: Attack[] = [
  ["consent sent by another site", async () => refusal(await allow({ init: SITE })), "403"],
  [
    "a cookie from a token, sent by another site (login CSRF)",
    async () => {
      const { access_token: token } = await tokens();
      return (await service.fetch("/oauth2/token-to-cookie", formOf({ access_token: token }, SITE))).status;
    },
    403,
  ],
  [
    "consent in a frame",
    async () => {
      const page = await get(`/oauth2/authorize?${new URLSearchParams(codeRequest(world.app))}`, {
        ...world.cookie,
        ...HTML,
      });
      return [page.status, page.headers.get("Content-Security-Policy")?.includes("frame-ancestors 'none'")];
    },
    [200, true],
  ],
  [
    "consent without a session",
    async () => (await consent(service, world.app, { cookie: {} })).headers.get("Location"),
    "/account/login?redirect=%2Foauth2%2Fauthorize",
  ],
  [
    "a state that is an address, and one with markup: both come back as they were",
    async () => {
      const states = ["https://evil.example/", '"><script>alert(1)</script>&error=x'];
      const answers = await Promise.all(states.map((state) => allow({ state })));
      const page = await get(
        `/oauth2/authorize?${new URLSearchParams(codeRequest(world.app, { state: states[1] ?? "" }))}`,
        {
          ...world.cookie,
          ...HTML,
        },
      );
      return [
        answers.map((answer) => redirected(answer)["state"]),
        answers.every((answer) => answer.headers.get("Location")?.startsWith(`${REDIRECT}?code=`)),
        (await page.text()).includes("<script>alert"),
      ];
    },
    [["https://evil.example/", '"><script>alert(1)</script>&error=x'], true, false],
  ],
  [
    "a name of an app that is markup, or turns the text around",
    async () => {
      const named = await registerApp(service, { client_name: "<b>Carrel</b>\u202Eetis" });
      const page = await get(`/oauth2/authorize?${new URLSearchParams(codeRequest(named))}`, {
        ...world.cookie,
        ...HTML,
      });
      const text = await page.text();
      return [
        text.includes("&lt;b&gt;Carrel&lt;/b&gt; etis"),
        text.includes("\u202E"),
        text.includes("app.example"),
      ];
    },
    [true, false, true],
  ],
  [
    "the issuer is in the answer (mix-up)",
    async () => redirected(await allow())["iss"],
    "http://carrel.test",
  ],
  [
    "a script of another site with a token may change, and gets no cookie",
    async () => {
      const { access_token: token } = await tokens();
      const preflight = await service.fetch("/works/OL1W/bookshelves.json", {
        method: "OPTIONS",
        headers: {
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization",
          ...SITE,
        },
      });
      const answer = await shelve({ ...bearer(token), ...SITE });
      return [
        preflight.headers.get("Access-Control-Allow-Methods"),
        preflight.headers.get("Access-Control-Allow-Credentials"),
        answer.status,
        answer.headers.get("Access-Control-Allow-Origin"),
        answer.headers.getSetCookie(),
      ];
    },
    ["GET, HEAD, POST, PUT, DELETE, OPTIONS", null, 200, "*", []],
  ],
  [
    "a script of another site without a token may still not change anything",
    async () =>
      (
        await service.fetch("/works/OL1W/bookshelves.json", {
          method: "OPTIONS",
          headers: { "Access-Control-Request-Method": "POST", ...SITE },
        })
      ).status,
    400,
  ],
  [
    "a token that the browser has stored (Basic), sent by another site",
    async () => {
      const pat = await makeToken(world.cookie, "shelves");
      const Authorization = `Basic ${btoa(`Victim:${pat}`)}`;
      return [(await shelve({ Authorization, ...SITE })).status, (await shelve({ Authorization })).status];
    },
    [403, 200],
  ],
];

const floods: Attack[] = [
  [
    "registrations from one network",
    async () => {
      const headers = { "CF-Connecting-IP": "203.0.113.77" };
      const statuses = [];
      for (let count = 0; count < 31; count += 1) {
        statuses.push(
          (await service.fetch("/oauth2/register", jsonOf({ redirect_uris: [REDIRECT] }, headers))).status,
        );
      }
      return [statuses[0], statuses.at(-1)];
    },
    [201, 429],
  ],
  [
    "grants of one account",
    async () => {
      const { cookie: own } = await newPerson();
      const object = env.PATRON.getByName(`person${world.people}`);
      for (let count = 0; count < 100; count += 1) {
        await object.tokens.add(
          {
            id: `g${count}`,
            client: null,
            name: "x",
            place: "",
            scopes: "read",
            created: service.now,
            expires: null,
          },
          { id: `t${count}`, kind: "use", expires: service.now + HOUR },
          null,
        );
      }
      return [(await consent(service, world.app, { cookie: own })).status, await makeToken(own, "read")];
    },
    [400, ""],
  ],
];

describe.each([
  ["a request for a code is refused with", requests],
  ["a registration is refused with", registrations],
  ["in a browser:", browsers],
  ["a flood of", floods],
])("attacks: %s", (_group, rows) => {
  it.each(rows.map(([title, attack, expected]) => ({ title, attack, expected })))(
    "$title",
    async ({ attack, expected }) => {
      expect(await attack()).toEqual(expected);
    },
  );
});

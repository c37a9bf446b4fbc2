import { createHash } from "node:crypto";
import { PASSWORD, account, cookieHeader, formOf, jsonOf, logIn } from "./accounts.ts";
import type { TestService } from "./service.ts";

export const REDIRECT = "https://app.example/back";
export const VERIFIER = "v".repeat(43);
const CHALLENGE = challengeOf(VERIFIER);
const HTML = { Accept: "text/html" };

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

export interface TestApp {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** Registers an app. Public unless stated. */
export async function registerApp(service: TestService, metadata: object = {}): Promise<TestApp> {
  const body = {
    client_name: "Shelf App",
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
    ...metadata,
  };
  return (await service.fetch("/oauth2/register", jsonOf(body))).json();
}

/** Makes an account and logs it in; its cookies. */
export async function person(service: TestService, username: string): Promise<{ Cookie: string }> {
  await account(service, username);
  return cookieHeader(await logIn(service, username));
}

/** Parameters of a request for a code. */
export function codeRequest({ client_id }: TestApp, more: Record<string, string> = {}) {
  return {
    response_type: "code",
    client_id,
    redirect_uri: REDIRECT,
    scope: "read shelves",
    state: "xyz",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...more,
  };
}

/** Sends the form of the consent page, which allows all that is asked for unless stated; the answer. */
export function consent(
  service: TestService,
  app: TestApp,
  { cookie, ...more }: { cookie: Record<string, string> } & Record<string, unknown>,
): Promise<Response> {
  const { scope, ...request } = codeRequest(app, more as Record<string, string>);
  const { init = {} } = more as { init?: Record<string, string> };
  const fields = new URLSearchParams({ decision: "allow", asked: scope, ...request });
  for (const one of ((more["chosen"] as string | undefined) ?? scope).split(" ")) fields.append("scope", one);
  return service.fetch("/oauth2/authorize", {
    method: "POST",
    body: fields.toString(),
    headers: { ...formOf({}).headers, ...HTML, ...cookie, ...init },
  });
}

/** Returns the parameters that a redirect to the app carries. */
export function redirected(response: Response): Record<string, string> {
  const location = response.headers.get("Location") ?? "";
  return Object.fromEntries(URL.parse(location)?.searchParams ?? []);
}

/** Sends a request to the token endpoint. */
export function exchange(
  service: TestService,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return service.fetch("/oauth2/token", formOf(fields, headers));
}

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Lets an account allow an app, and exchanges the code for tokens. */
async function connect(
  service: TestService,
  app: TestApp,
  { cookie, ...more }: { cookie: Record<string, string> } & Record<string, unknown>,
): Promise<TokenPair> {
  const { code = "" } = redirected(await consent(service, app, { cookie, ...more }));
  const response = await exchange(service, { ...app, ...codeExchange(code) });
  return response.json();
}

export function codeExchange(code: string): Record<string, string> {
  return { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
}

export function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

/** A row of a table of attacks. `attack` returns what is left of the defence. */
export type Attack = readonly [title: string, attack: () => Promise<unknown>, expected: unknown];

/** An app, an account that may allow it, and what one does with both. Set by `beforeAll`. */
export function oauthWorld(service: TestService) {
  const world = {
    app: { client_id: "" } as TestApp,
    confidential: { client_id: "" } as TestApp,
    cookie: { Cookie: "" },
    people: 0,
    async open() {
      world.app = await registerApp(service);
      world.confidential = await registerApp(service, { token_endpoint_auth_method: "client_secret_basic" });
      world.cookie = await person(service, "Victim");
      await service.load({ key: "/works/OL1W", type: "/type/work", title: "Emma" });
    },
    get: (path: string, headers: Record<string, string> = {}) => service.fetch(path, { headers }),
    allow: (more: Record<string, unknown> = {}) =>
      consent(service, world.app, { cookie: world.cookie, ...more }),
    codeFor: async (more: Record<string, unknown> = {}) => redirected(await world.allow(more))["code"] ?? "",
    tokens: (more: Record<string, unknown> = {}): Promise<TokenPair> =>
      connect(service, world.app, { cookie: world.cookie, ...more }),
    redeem: (code: string, more: Record<string, string> = {}) =>
      exchange(service, { client_id: world.app.client_id, ...codeExchange(code), ...more }),
    refresh: (refresh_token: string, more: Record<string, string> = {}) =>
      exchange(service, {
        client_id: world.app.client_id,
        grant_type: "refresh_token",
        refresh_token,
        ...more,
      }),
    /** Returns the status of a private read with a token: 200 if it is open. */
    statusWith: async (token: string) => (await world.get("/account/loans.json", bearer(token))).status,
    shelve: (headers: Record<string, string>, init: RequestInit = {}) =>
      service.fetch("/works/OL1W/bookshelves.json", { ...formOf({ bookshelf_id: "1" }, headers), ...init }),
    async makeToken(owner: Record<string, string>, scope: string, days = "30"): Promise<string> {
      const fields = new URLSearchParams({ name: "script", days, password: PASSWORD });
      for (const one of scope.split(" ")) fields.append("scope", one);
      const response = await service.fetch("/account/tokens", {
        ...formOf({}, { ...owner, Accept: "application/json" }),
        body: fields.toString(),
      });
      const { token = "" } = await response.json<{ token?: string }>();
      return token;
    },
    async newPerson() {
      world.people += 1;
      const username = `Person${world.people}`;
      return { username, cookie: await person(service, username) };
    },
  };
  return world;
}

/** Returns status and code of a refusal, or of the error that a redirect carries. */
export async function refusal(response: Response): Promise<string> {
  const { status, headers } = response;
  const location = headers.get("Location");
  if (location !== null) {
    return `${status} ${redirected(response)["error"] ?? new URL(location, "http://x").pathname}`;
  }
  const body: Record<string, unknown> =
    headers.get("Content-Type")?.includes("json") === true ? await response.json() : {};
  return `${status} ${String(body["error"] ?? "")}`.trim();
}

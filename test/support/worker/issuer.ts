import { createHash } from "node:crypto";
import { type Answers, fakeNetwork } from "./outbound.ts";
import { cookieHeader, formOf } from "./accounts.ts";
import type { TestService } from "./service.ts";

/** Isolates remember issuers, and test files share one: no other file has this issuer. */
export const ISSUER = "https://login.example";
export const REDIRECT_LOGIN = {
  IDENTITY_PROVIDER: "oidc",
  OIDC_FLOW: "redirect",
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: "carrel",
  OIDC_CLIENT_SECRET: "client-secret-of-tests",
} as const;

type Claims = Readonly<Record<string, unknown>>;

/** Deviations from the usual answers of the issuer. */
interface Deviation {
  readonly user?: Claims;
  readonly token?: Claims;
  readonly metadata?: Claims;
  /** True if it signs with a key that it does not publish. */
  readonly signsWrongly?: boolean;
  readonly answers?: Answers;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

async function sign(claims: Claims, key: CryptoKey): Promise<string> {
  const text = `${encode({ alg: "ES256", kid: "1" })}.${encode(claims)}`;
  const mac = await crypto.subtle.sign({ ...ALGORITHM, hash: "SHA-256" }, key, Buffer.from(text));
  return `${text}.${Buffer.from(mac).toString("base64url")}`;
}

/** An OpenID Connect issuer, and what a browser does between it and the service. */
export function fakeIssuer(service: TestService) {
  const network = fakeNetwork();
  let keys: Promise<CryptoKeyPair[]> | undefined;
  const makeKeys = async () =>
    Promise.all(
      [1, 2].map(
        () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>,
      ),
    );
  /** Codes that were not exchanged yet, with the parameters of their request. */
  const codes = new Map<string, Record<string, string>>();
  const issuer = {
    /** Name of the user whom the issuer knows. */
    name: "Joe",
    asked: network.asked,
    /** Forms that the token endpoint got. */
    exchanged: [] as Record<string, string>[],
    /** From here on, the issuer answers so. */
    async answer({
      user = {},
      token = {},
      metadata = {},
      signsWrongly = false,
      answers = {},
    }: Deviation = {}) {
      const [own, other] = await (keys ??= makeKeys());
      const key = (signsWrongly ? other : own)!.privateKey;
      const person = {
        sub: `sub-${issuer.name}`,
        email: `${issuer.name}@example.com`,
        email_verified: true,
        name: `${issuer.name} B.`,
        preferred_username: issuer.name,
        ...user,
      };
      network.answer({
        [`${ISSUER}/.well-known/openid-configuration`]: () =>
          Response.json({
            issuer: ISSUER,
            authorization_endpoint: `${ISSUER}/authorize`,
            token_endpoint: `${ISSUER}/token`,
            userinfo_endpoint: `${ISSUER}/user`,
            jwks_uri: `${ISSUER}/keys`,
            end_session_endpoint: `${ISSUER}/logout`,
            id_token_signing_alg_values_supported: ["ES256"],
            authorization_response_iss_parameter_supported: true,
            ...metadata,
          }),
        [`${ISSUER}/keys`]: async () =>
          Response.json({
            keys: [{ ...((await crypto.subtle.exportKey("jwk", own!.publicKey)) as object), kid: "1" }],
          }),
        [`${ISSUER}/token`]: async ({ body }) => {
          const form = Object.fromEntries(new URLSearchParams(String(body)));
          issuer.exchanged.push(form);
          const request = codes.get(form["code"] ?? "");
          codes.delete(form["code"] ?? "");
          const challenge = createHash("sha256")
            .update(form["code_verifier"] ?? "")
            .digest("base64url");
          if (request === undefined || challenge !== request["code_challenge"])
            return Response.json({ error: "invalid_grant" }, { status: 400 });
          const now = Math.floor(Date.now() / 1000);
          const claims = { iss: ISSUER, sub: person.sub, aud: "carrel", exp: now + 60, iat: now };
          const nonce = request["nonce"];
          const id_token = await sign({ ...claims, nonce, ...token }, key);
          return Response.json({ access_token: "t", token_type: "Bearer", id_token });
        },
        [`${ISSUER}/user`]: () => Response.json(person),
        ...answers,
      });
    },
    /** Presses the button of the login page; the parameters that reach the issuer, and the browser's cookies. */
    async start(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
      const response = await service.fetch("/account/login/oidc", formOf(fields, headers));
      const url = new URL(response.headers.get("Location") ?? "about:blank");
      const parameters: Record<string, string> = Object.fromEntries(url.searchParams);
      return { response, parameters, cookie: cookieHeader(response) };
    },
    /** Logs the user in at the issuer: the query with which it sends the browser back. */
    approve(parameters: Record<string, string>): Record<string, string> {
      const code = `code-${crypto.randomUUID()}`;
      codes.set(code, parameters);
      return { code, state: parameters["state"] ?? "", iss: ISSUER };
    },
    back(query: Record<string, string>, headers: Record<string, string>, init: RequestInit = {}) {
      const path = `/account/login/oidc/callback?${new URLSearchParams(query)}`;
      return service.fetch(path, { ...init, headers: { ...formOf({}, headers).headers, ...headers } });
    },
    /** Runs a whole login. */
    async logIn(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
      const { parameters, cookie } = await issuer.start(fields);
      return issuer.back(issuer.approve(parameters), { ...cookie, ...headers });
    },
  };
  return issuer;
}

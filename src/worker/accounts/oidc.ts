import { HOUR_MS } from "../../catalog/units.ts";
import { Buffer } from "node:buffer";
import * as z from "zod";
import { isEmail, normalizeEmail } from "../../catalog/accounts.ts";
import { type AuthResult, type IdentityProvider, callProvider, refuse } from "./identity.ts";

/** Lifetime of a cached discovery document, in milliseconds. */
const DISCOVERY_MS = HOUR_MS;

export interface OidcOptions {
  /** Issuer URL without a slash at the end. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Checks key pairs for programs. Issuers have none, so this service creates them itself. */
  authenticateKeys: IdentityProvider["authenticateKeys"];
  now: () => number;
}

const description = z.object({
  issuer: z.string(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  authorization_endpoint: z.url().optional(),
  jwks_uri: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

const token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/) });
const tokenError = z.object({ error: z.string() });
const userInfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
});

export type Issuer = z.infer<typeof description>;

/** Discovery documents by issuer URL, cached per isolate. */
const discovered = new Map<string, { issuer: Issuer; until: number }>();

/** Returns a provider for an OpenID Connect issuer that accepts passwords at its token endpoint. No registration. */
export function oidcProvider(options: OidcOptions): IdentityProvider {
  return {
    async authenticate(email, password) {
      const address = normalizeEmail(email);
      if (!isEmail(address)) return refuse("invalid_email");
      const issuer = await findIssuer(options);
      if (typeof issuer === "string") return refuse(issuer);
      const answer = await fetchToken(options, issuer, { username: address, password });
      if (typeof answer === "string") return refuse(answer);
      // The connection goes to the issuer itself, so no signature is needed.
      const headers = { Accept: "application/json", Authorization: `Bearer ${answer.access_token}` };
      const response = await callProvider(new URL(issuer.userinfo_endpoint), { headers });
      if (typeof response === "string") return refuse(response);
      return response.status === 200 ? readUser(options, response.json) : refuse("undefined_error");
    },
    authenticateKeys: options.authenticateKeys,
    // An issuer only tells about the user who has just logged in.
    lookup: async () => null,
  };
}

/** Returns the identity that the claims of a user describe. */
export function readUser({ issuer }: Pick<OidcOptions, "issuer">, claims: unknown): AuthResult {
  const { data: user } = userInfo.safeParse(claims);
  if (user === undefined) return refuse("undefined_error");
  const email = normalizeEmail(user.email ?? "");
  if (!isEmail(email)) return refuse("invalid_email");
  const identity = {
    // A subject is unique at its issuer only (OpenID Connect Core 2).
    subject: `${issuer}#${user.sub}`,
    email,
    emailVerified: user.email_verified === true,
    screenName: user.name ?? user.preferred_username ?? nameIn(email),
    preferredName: nameIn(user.preferred_username ?? email),
    locked: false,
    specialAccess: false,
  };
  return { ok: true, identity };
}

/**
 * Returns the discovery document of an issuer. Its `issuer` must equal the configured one but for a slash at the end, and
 * its endpoints must use the same protocol. Returns the reason as a string on failure.
 */
export async function findIssuer(options: Pick<OidcOptions, "issuer" | "now">): Promise<Issuer | string> {
  const now = options.now();
  const cached = discovered.get(options.issuer);
  if (cached !== undefined && cached.until > now) return cached.issuer;
  const url = new URL(`${options.issuer}/.well-known/openid-configuration`);
  const answer = await callProvider(url, { headers: { Accept: "application/json" } });
  if (typeof answer === "string") return answer;
  const { data: issuer } = description.safeParse(answer.json);
  if (answer.status !== 200 || issuer === undefined) return "undefined_error";
  const { token_endpoint: tokens, userinfo_endpoint: users, jwks_uri: keys = users } = issuer;
  const isSafe = [tokens, users, keys].every((endpoint) => new URL(endpoint).protocol === url.protocol);
  if (!isSafe || issuer.issuer.replace(/\/$/, "") !== options.issuer) return "security_error";
  discovered.set(options.issuer, { issuer, until: now + DISCOVERY_MS });
  return issuer;
}

/** Returns true for issuers that take the secret by HTTP Basic: also those that name no method (RFC 6749 2.3.1). */
export function takesBasic({ token_endpoint_auth_methods_supported: methods }: Issuer): boolean {
  return methods === undefined || methods.includes("client_secret_basic");
}

/** Exchanges email address and password for a token (RFC 6749 4.3). Returns the reason as a string on failure. */
async function fetchToken(
  { clientId, clientSecret }: OidcOptions,
  issuer: Issuer,
  login: { username: string; password: string },
): Promise<z.infer<typeof token> | string> {
  const form = new URLSearchParams({ grant_type: "password", ...login, scope: "openid email profile" });
  const headers: Record<string, string> = { Accept: "application/json" };
  if (takesBasic(issuer)) {
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(":");
    headers["Authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  const answer = await callProvider(new URL(issuer.token_endpoint), { method: "POST", headers, body: form });
  if (typeof answer === "string") return answer;
  const { status, json } = answer;
  const parsed = token.safeParse(json);
  if (status === 200 && parsed.success) return parsed.data;
  if (status === 504) return "request_timeout";
  const error = tokenError.safeParse(json).data?.error ?? "";
  // RFC 6749 5.2 has 400; Keycloak answers 401.
  if (error === "invalid_grant" && (status === 400 || status === 401)) return "account_bad_password";
  return status < 500 && error !== "" ? "security_error" : "undefined_error";
}

/** Returns the part of an address before the `@`; other names unchanged. */
function nameIn(text: string): string {
  const at = text.indexOf("@", 1);
  return at === -1 ? text : text.slice(0, at);
}

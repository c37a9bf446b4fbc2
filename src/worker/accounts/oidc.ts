import { HOUR_MS } from "../../catalog/units.ts";
import { Buffer } from "node:buffer";
import * as z from "zod";
import { isEmail, normalizeEmail } from "../../catalog/accounts.ts";
import {
  type AuthResult,
  type Identity,
  type IdentityProvider,
  type ProviderAnswer,
  callProvider,
  refuse,
} from "./identity.ts";

/** Lifetime of a cached discovery document, in milliseconds. */
const DISCOVERY_MS = HOUR_MS;

interface OidcOptions {
  /** Issuer URL without a slash at the end, exactly as in its discovery document. */
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

type Issuer = z.infer<typeof description>;
type UserInfo = z.infer<typeof userInfo>;

/**
 * Fetches the discovery document of an issuer. Its `issuer` must equal the configured one, and its endpoints must use
 * the same protocol. Returns the reason as a string on failure.
 */
async function discover({ issuer }: OidcOptions): Promise<Issuer | string> {
  const url = new URL(`${issuer}/.well-known/openid-configuration`);
  const answer = await callProvider(url, { headers: { Accept: "application/json" } });
  if (typeof answer === "string") return answer;
  const parsed = description.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) return "undefined_error";
  const { token_endpoint: tokens, userinfo_endpoint: users } = parsed.data;
  const isSafe = [tokens, users].every((endpoint) => new URL(endpoint).protocol === url.protocol);
  return isSafe && parsed.data.issuer === issuer ? parsed.data : "security_error";
}

/** Exchanges email address and password for a token (RFC 6749 4.3). */
async function fetchToken(
  options: OidcOptions,
  issuer: Issuer,
  login: { email: string; password: string },
): Promise<{ token: string } | string> {
  const form = new URLSearchParams({
    grant_type: "password",
    username: login.email,
    password: login.password,
    scope: "openid email profile",
  });
  const headers: Record<string, string> = { Accept: "application/json" };
  const methods = issuer.token_endpoint_auth_methods_supported;
  // RFC 6749 2.3.1: issuers that name no method accept HTTP Basic.
  if (methods === undefined || methods.includes("client_secret_basic")) {
    const pair = [options.clientId, options.clientSecret].map(encodeURIComponent).join(":");
    headers["Authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    form.set("client_id", options.clientId);
    form.set("client_secret", options.clientSecret);
  }
  const answer = await callProvider(new URL(issuer.token_endpoint), { method: "POST", headers, body: form });
  if (typeof answer === "string") return answer;
  const parsed = token.safeParse(answer.json);
  return answer.status === 200 && parsed.success ? { token: parsed.data.access_token } : tokenReason(answer);
}

/** Fetches the user of a token. The connection goes to the issuer itself, so no signature is needed. */
async function fetchUserInfo(issuer: Issuer, accessToken: string): Promise<UserInfo | string> {
  const headers = { Accept: "application/json", Authorization: `Bearer ${accessToken}` };
  const answer = await callProvider(new URL(issuer.userinfo_endpoint), { headers });
  if (typeof answer === "string") return answer;
  const parsed = userInfo.safeParse(answer.json);
  return answer.status === 200 && parsed.success ? parsed.data : "undefined_error";
}

function tokenReason({ status, json }: ProviderAnswer): string {
  if (status === 504) return "request_timeout";
  const parsed = tokenError.safeParse(json);
  const error = parsed.success ? parsed.data.error : "";
  if (status === 400 && error === "invalid_grant") return "account_bad_password";
  return status < 500 && error !== "" ? "security_error" : "undefined_error";
}

/** Discovery documents by issuer URL, cached per isolate. */
const discovered = new Map<string, { issuer: Issuer; until: number }>();

/** Returns a provider for an OpenID Connect issuer that accepts passwords at its token endpoint. No registration. */
export function oidcProvider(options: OidcOptions): IdentityProvider {
  return {
    authenticate: (email, password) => authenticate(options, email, password),
    authenticateKeys: options.authenticateKeys,
    // An issuer only tells about the user who has just logged in.
    lookup: async () => null,
  };
}

async function authenticate(options: OidcOptions, email: string, password: string): Promise<AuthResult> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) return refuse("invalid_email");
  const issuer = await findIssuer(options);
  if (typeof issuer === "string") return refuse(issuer);
  const answer = await fetchToken(options, issuer, { email: address, password });
  if (typeof answer === "string") return refuse(answer);
  const user = await fetchUserInfo(issuer, answer.token);
  if (typeof user === "string") return refuse(user);
  const identity = identityOf(options, user);
  return identity === undefined ? refuse("invalid_email") : { ok: true, identity };
}

async function findIssuer(options: OidcOptions): Promise<Issuer | string> {
  const now = options.now();
  const cached = discovered.get(options.issuer);
  if (cached !== undefined && cached.until > now) return cached.issuer;
  const issuer = await discover(options);
  if (typeof issuer !== "string") discovered.set(options.issuer, { issuer, until: now + DISCOVERY_MS });
  return issuer;
}

function identityOf({ issuer }: OidcOptions, user: UserInfo): Identity | undefined {
  const email = normalizeEmail(user.email ?? "");
  if (!isEmail(email)) return undefined;
  return {
    // A subject is unique at its issuer only (OpenID Connect Core 2).
    subject: `${issuer}#${user.sub}`,
    email,
    emailVerified: user.email_verified === true,
    screenName: user.name ?? user.preferred_username ?? nameIn(email),
    preferredName: nameIn(user.preferred_username ?? email),
    locked: false,
    specialAccess: false,
  };
}

/** Returns the part of an address before the `@`; other names unchanged. */
function nameIn(text: string): string {
  const at = text.indexOf("@", 1);
  return at === -1 ? text : text.slice(0, at);
}

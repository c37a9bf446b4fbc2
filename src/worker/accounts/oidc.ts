import { HOUR_MS } from "../../catalog/units.ts";
import { Buffer } from "node:buffer";
import * as z from "zod";
import { isEmail, normalizeEmail } from "../../catalog/accounts.ts";
import { type IdentityProvider, callProvider, refuse } from "./identity.ts";

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
      const { data: user } = userInfo.safeParse(response.json);
      if (response.status !== 200 || user === undefined) return refuse("undefined_error");
      const userEmail = normalizeEmail(user.email ?? "");
      if (!isEmail(userEmail)) return refuse("invalid_email");
      const identity = {
        // A subject is unique at its issuer only (OpenID Connect Core 2).
        subject: `${options.issuer}#${user.sub}`,
        email: userEmail,
        emailVerified: user.email_verified === true,
        screenName: user.name ?? user.preferred_username ?? nameIn(userEmail),
        preferredName: nameIn(user.preferred_username ?? userEmail),
        locked: false,
        specialAccess: false,
      };
      return { ok: true, identity };
    },
    authenticateKeys: options.authenticateKeys,
    // An issuer only tells about the user who has just logged in.
    lookup: async () => null,
  };
}

/**
 * Returns the discovery document of an issuer. Its `issuer` must equal the configured one, and its endpoints must use
 * the same protocol. Returns the reason as a string on failure.
 */
async function findIssuer(options: OidcOptions): Promise<Issuer | string> {
  const now = options.now();
  const cached = discovered.get(options.issuer);
  if (cached !== undefined && cached.until > now) return cached.issuer;
  const url = new URL(`${options.issuer}/.well-known/openid-configuration`);
  const answer = await callProvider(url, { headers: { Accept: "application/json" } });
  if (typeof answer === "string") return answer;
  const { data: issuer } = description.safeParse(answer.json);
  if (answer.status !== 200 || issuer === undefined) return "undefined_error";
  const { token_endpoint: tokens, userinfo_endpoint: users } = issuer;
  const isSafe = [tokens, users].every((endpoint) => new URL(endpoint).protocol === url.protocol);
  if (!isSafe || issuer.issuer !== options.issuer) return "security_error";
  discovered.set(options.issuer, { issuer, until: now + DISCOVERY_MS });
  return issuer;
}

/** Exchanges email address and password for a token (RFC 6749 4.3). Returns the reason as a string on failure. */
async function fetchToken(
  { clientId, clientSecret }: OidcOptions,
  issuer: Issuer,
  login: { username: string; password: string },
): Promise<z.infer<typeof token> | string> {
  const form = new URLSearchParams({ grant_type: "password", ...login, scope: "openid email profile" });
  const headers: Record<string, string> = { Accept: "application/json" };
  const methods = issuer.token_endpoint_auth_methods_supported;
  // RFC 6749 2.3.1: issuers that name no method accept HTTP Basic.
  if (methods === undefined || methods.includes("client_secret_basic")) {
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
  if (status === 400 && error === "invalid_grant") return "account_bad_password";
  return status < 500 && error !== "" ? "security_error" : "undefined_error";
}

/** Returns the part of an address before the `@`; other names unchanged. */
function nameIn(text: string): string {
  const at = text.indexOf("@", 1);
  return at === -1 ? text : text.slice(0, at);
}

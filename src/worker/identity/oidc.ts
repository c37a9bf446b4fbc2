import { isEmail, plainEmail } from "../../catalog/accounts.ts";
import {
  type Issuer,
  type OidcOptions,
  type UserInfo,
  DISCOVERY_MS,
  discover,
  passwordToken,
  readUserInfo,
} from "./oidc-client.ts";
import { type AuthResult, type Identity, type IdentityProvider, refused } from "./provider.ts";

/** More than the issuer that the provider needs. */
export interface OidcProviderOptions extends OidcOptions {
  /** Key pairs for programs: an issuer has none, so this service gives them out itself. */
  readonly authenticateKeys: IdentityProvider["authenticateKeys"];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const known = new Map<string, { readonly issuer: Issuer; readonly until: number }>();

/** An OpenID Connect issuer that takes passwords at its token endpoint. Nobody can register through it. */
export function oidcProvider(options: OidcProviderOptions): IdentityProvider {
  return {
    authenticate: (email, password) => authenticate(options, email, password),
    authenticateKeys: options.authenticateKeys,
    // An issuer tells of nobody but who has just logged in.
    lookup: async () => null,
  };
}

async function authenticate(
  options: OidcProviderOptions,
  email: string,
  password: string,
): Promise<AuthResult> {
  const address = plainEmail(email);
  if (!isEmail(address)) return refused("invalid_email");
  const issuer = await issuerOf(options);
  if (typeof issuer === "string") return refused(issuer);
  const got = await passwordToken(options, issuer, { email: address, password });
  if (typeof got === "string") return refused(got);
  const user = await readUserInfo(issuer, got.token);
  if (typeof user === "string") return refused(user);
  const identity = identityOf(options, user);
  return identity === undefined ? refused("invalid_email") : { ok: true, identity };
}

async function issuerOf(options: OidcProviderOptions): Promise<Issuer | string> {
  const now = options.now();
  const kept = known.get(options.issuer);
  if (kept !== undefined && kept.until > now) return kept.issuer;
  const issuer = await discover(options);
  if (typeof issuer !== "string") known.set(options.issuer, { issuer, until: now + DISCOVERY_MS });
  return issuer;
}

function identityOf({ issuer }: OidcOptions, user: UserInfo): Identity | undefined {
  const email = plainEmail(user.email ?? "");
  if (!isEmail(email)) return undefined;
  const wish = user.preferred_username ?? email;
  return {
    // A subject means something at its issuer only (OpenID Connect Core 2).
    subject: `${issuer}#${user.sub}`,
    email,
    emailVerified: user.email_verified === true,
    screenName: user.name ?? user.preferred_username ?? nameIn(email),
    wish: nameIn(wish),
    locked: false,
    specialAccess: false,
  };
}

/** What stands before the `@` of an address; a name that is none stays whole. */
function nameIn(text: string): string {
  return text.replace(/(?<=.)@.*$/, "");
}

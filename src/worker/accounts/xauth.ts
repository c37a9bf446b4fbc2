import { isEmail, plainEmail } from "../../catalog/accounts.ts";
import {
  type AuthResult,
  type Identity,
  type IdentityProvider,
  type OneTimePasswords,
  type RegistrationForm,
  refused,
} from "./identity.ts";
import {
  type XauthAnswer,
  type XauthOptions,
  type XauthValues,
  callXauth,
  checkXauthKeys,
} from "./xauth-client.ts";

/** Further names tried if the preferred one is taken at the provider. */
const SCREEN_NAME_ATTEMPTS = 3;
const SUFFIXES = 10_000;

/** Codes of the provider, with the codes used here. */
const RENAMED = new Map([
  ["account_blocked", "account_locked"],
  ["account_not_verified", "ia_account_not_verified"],
]);

/** Connection to the provider, with the settings of `xauthProvider`. */
interface XauthProviderOptions extends XauthOptions {
  readonly urls?: IdentityProvider["urls"];
  /** Returns numbers from 0 to 1, 1 not included. */
  readonly random: () => number;
}

/** Returns the provider of the accounts at the archive, over HTTP. */
export function xauthProvider(options: XauthProviderOptions): IdentityProvider {
  return {
    authenticate: (email, password) => authenticate(options, email, password),
    authenticateKeys: (access, secret) => authenticateKeys(options, access, secret),
    lookup: (who) => lookup(options, who),
    register: (form) => register(options, form),
    activate: (token) =>
      identified(options, callXauth(options, "activate", { fields: { token, "welcome-email": true } })),
    otp: oneTimePasswords(options),
    ...(options.urls === undefined ? {} : { urls: options.urls }),
  };
}

async function authenticate(options: XauthOptions, email: string, password: string): Promise<AuthResult> {
  const address = plainEmail(email);
  if (!isEmail(address)) return refused("invalid_email");
  return identified(options, callXauth(options, "authenticate", { fields: { email: address, password } }));
}

async function authenticateKeys(options: XauthOptions, access: string, secret: string): Promise<AuthResult> {
  const owner = await checkXauthKeys(options, access, secret);
  if (typeof owner === "string") return refused(owner);
  return described(options, { email: plainEmail(owner.email), credential: `${access}:${secret}` });
}

/** Fetches the identity after a successful call; a failure becomes a reason that clients know. */
async function identified(options: XauthOptions, call: Promise<XauthAnswer>): Promise<AuthResult> {
  const answer = await call;
  if (!answer.ok) return refused(reasonOf(answer.reason));
  const { email, s3, access, secret } = answer.values;
  if (email === undefined) return refused("undefined_error");
  const pair = s3 ?? (access !== undefined && secret !== undefined ? { access, secret } : undefined);
  return described(options, {
    email: plainEmail(email),
    credential: pair === undefined ? undefined : `${pair.access}:${pair.secret}`,
  });
}

async function described(
  options: XauthOptions,
  { email, credential }: { readonly email: string; readonly credential: string | undefined },
): Promise<AuthResult> {
  const info = await callXauth(options, "info", { fields: { email } });
  if (!info.ok)
    return refused(info.status === 200 && info.reason === "" ? "account_not_found" : reasonOf(info.reason));
  const identity = identityOf(info.values);
  // The response must be about the requested address, or it would open the account of another person.
  if (identity === undefined || identity.email !== email) return refused("undefined_error");
  if (identity.locked) return refused("account_locked");
  return { ok: true, identity, lendingCredential: credential };
}

async function lookup(
  options: XauthOptions,
  who: { readonly email: string } | { readonly subject: string },
): Promise<Identity | null> {
  const fields = "email" in who ? { email: plainEmail(who.email) } : { itemname: who.subject };
  const info = await callXauth(options, "info", { fields });
  return info.ok ? (identityOf(info.values) ?? null) : null;
}

async function register(options: XauthProviderOptions, form: RegistrationForm): Promise<AuthResult> {
  const email = plainEmail(form.email);
  const fields = {
    email,
    password: form.password,
    notifications: form.newsletters ? ["announce-general"] : [],
    verified: false,
    "activation-type": "openlibrary",
  };
  let screenname = form.screenName;
  for (let attempt = 0; attempt <= SCREEN_NAME_ATTEMPTS; attempt += 1) {
    const answer = await callXauth(options, "create", { fields: { ...fields, screenname } });
    if (answer.ok) {
      const identity = identityOf({ verified: false, ...answer.values });
      return identity === undefined ? refused("undefined_error") : { ok: true, identity };
    }
    const bad = Object.keys(answer.values).filter((name) => name !== "reason");
    if (!bad.includes("screenname"))
      return refused(bad[0] === undefined ? reasonOf(answer.reason) : `bad_${bad[0]}`);
    screenname = `${form.screenName}${Math.floor(options.random() * SUFFIXES)}`;
  }
  return refused("username_registered");
}

function oneTimePasswords(options: XauthOptions): OneTimePasswords {
  return {
    async issue(email, ip) {
      const fields = { email: plainEmail(email), service: "ol" };
      const answer = await callXauth(options, "issue_otp", { fields, headers: { "X-Originating-IP": ip } });
      return answer.ok ? { ok: true } : { ok: false, rateLimited: answer.status === 429 };
    },
    redeem: (email, code, ip) =>
      identified(
        options,
        callXauth(options, "redeem_otp", {
          fields: { email: plainEmail(email), password: code },
          headers: { "X-Originating-IP": ip },
        }),
      ),
  };
}

function identityOf(values: XauthValues): Identity | undefined {
  const { email, itemname, screenname, verified = false, locked = false } = values;
  if (email === undefined || itemname === undefined || itemname === "") return undefined;
  return {
    subject: itemname,
    email: plainEmail(email),
    emailVerified: verified,
    screenName: typeof screenname === "string" ? screenname : itemname.replace(/^@/, ""),
    wish: itemname,
    locked,
    specialAccess: values.has_disability_access === true,
  };
}

function reasonOf(reason: string): string {
  return RENAMED.get(reason) ?? (reason === "" ? "undefined_error" : reason);
}

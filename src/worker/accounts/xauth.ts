import * as z from "zod";
import { isEmail, normalizeEmail } from "../../catalog/accounts.ts";
import {
  type AuthResult,
  type Identity,
  type IdentityProvider,
  type RegistrationForm,
  callProvider,
  refuse,
} from "./identity.ts";

/** Further names tried if the preferred one is taken at the provider. */
const SCREEN_NAME_ATTEMPTS = 3;
const SUFFIXES = 10_000;

const RENAMED = new Map([
  ["account_blocked", "account_locked"],
  ["account_not_verified", "ia_account_not_verified"],
]);

interface XauthOptions {
  /** Addresses of the provider, and the service's own keys there. */
  url: string;
  keyUrl: string;
  access: string;
  secret: string;
  urls?: IdentityProvider["urls"];
  random: () => number;
}

export function xauthProvider(options: XauthOptions): IdentityProvider {
  return {
    async authenticate(email, password) {
      const address = normalizeEmail(email);
      if (!isEmail(address)) return refuse("invalid_email");
      const fields = { email: address, password };
      return identifyAfter(options, callXauth(options, "authenticate", { fields }));
    },
    async authenticateKeys(access, secret) {
      // Other characters are not valid in a header.
      if (!/^[\x21-\x7e]+$/.test(access + secret)) return refuse("invalid_s3keys");
      const credential = `${access}:${secret}`;
      const headers = { Authorization: `LOW ${credential}` };
      const response = await callProvider(new URL(options.keyUrl), { headers });
      if (typeof response === "string") return refuse(response);
      if (response.status >= 500) return refuse("undefined_error");
      const { data: owner } = checkedKeys.safeParse(response.json);
      if (response.status !== 200 || owner === undefined) return refuse("invalid_s3keys");
      return fetchIdentity(options, { email: normalizeEmail(owner.username), credential });
    },
    async lookup(who) {
      const fields = "email" in who ? { email: normalizeEmail(who.email) } : { itemname: who.subject };
      const info = await callXauth(options, "info", { fields });
      return info.ok ? (identityOf(info.values) ?? null) : null;
    },
    register: (form) => register(options, form),
    activate: (token) =>
      identifyAfter(options, callXauth(options, "activate", { fields: { token, "welcome-email": true } })),
    otp: {
      async issue(email, ip) {
        const fields = { email: normalizeEmail(email), service: "ol" };
        const answer = await callXauth(options, "issue_otp", { fields, headers: { "X-Originating-IP": ip } });
        return answer.ok ? { ok: true } : { ok: false, rateLimited: answer.status === 429 };
      },
      redeem(email, password, ip) {
        const fields = { email: normalizeEmail(email), password };
        const call = callXauth(options, "redeem_otp", { fields, headers: { "X-Originating-IP": ip } });
        return identifyAfter(options, call);
      },
    },
    ...(options.urls === undefined ? {} : { urls: options.urls }),
  };
}

/** Fetches the identity after a successful call; a failure becomes a reason that clients know. */
async function identifyAfter(options: XauthOptions, call: Promise<XauthAnswer>): Promise<AuthResult> {
  const answer = await call;
  if (!answer.ok) return refuse(reasonOf(answer.reason));
  const { email, s3, access, secret } = answer.values;
  if (email === undefined) return refuse("undefined_error");
  const pair = s3 ?? (access !== undefined && secret !== undefined ? { access, secret } : undefined);
  return fetchIdentity(options, {
    email: normalizeEmail(email),
    credential: pair === undefined ? undefined : `${pair.access}:${pair.secret}`,
  });
}

async function fetchIdentity(
  options: XauthOptions,
  { email, credential }: { email: string; credential: string | undefined },
): Promise<AuthResult> {
  const info = await callXauth(options, "info", { fields: { email } });
  if (!info.ok)
    return refuse(info.status === 200 && info.reason === "" ? "account_not_found" : reasonOf(info.reason));
  const identity = identityOf(info.values);
  // The response must be about the requested address, or it would open the account of another person.
  if (identity === undefined || identity.email !== email) return refuse("undefined_error");
  if (identity.locked) return refuse("account_locked");
  return { ok: true, identity, lendingCredential: credential };
}

async function register(options: XauthOptions, form: RegistrationForm): Promise<AuthResult> {
  const email = normalizeEmail(form.email);
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
      return identity === undefined ? refuse("undefined_error") : { ok: true, identity };
    }
    const badFields = Object.keys(answer.values).filter((name) => name !== "reason");
    if (!badFields.includes("screenname"))
      return refuse(badFields[0] === undefined ? reasonOf(answer.reason) : `bad_${badFields[0]}`);
    screenname = `${form.screenName}${Math.floor(options.random() * SUFFIXES)}`;
  }
  return refuse("username_registered");
}

function identityOf(values: XauthValues): Identity | undefined {
  const { email, itemname, screenname, verified = false, locked = false } = values;
  if (email === undefined || itemname === undefined || itemname === "") return undefined;
  return {
    subject: itemname,
    email: normalizeEmail(email),
    emailVerified: verified,
    screenName: typeof screenname === "string" ? screenname : itemname.replace(/^@/, ""),
    preferredName: itemname,
    locked,
    specialAccess: values.has_disability_access === true,
  };
}

function reasonOf(reason: string): string {
  return RENAMED.get(reason) ?? (reason === "" ? "undefined_error" : reason);
}

const REASON_LENGTH = 100;

const keys = z.object({ access: z.string(), secret: z.string() });

/** Members of `values` that are read. Members of an unexpected type count as absent. */
const values = z
  .object({
    email: z.string().optional().catch(undefined),
    itemname: z.string().optional().catch(undefined),
    screenname: z.unknown().optional(),
    verified: z.boolean().optional().catch(undefined),
    locked: z.boolean().optional().catch(undefined),
    has_disability_access: z.boolean().optional().catch(undefined),
    reason: z.string().optional().catch(undefined),
    access: z.string().optional().catch(undefined),
    secret: z.string().optional().catch(undefined),
    s3: keys.optional().catch(undefined),
  })
  .loose();

const xauthAnswer = z.object({
  success: z.boolean().optional().catch(undefined),
  values: values.optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  code: z.number().optional().catch(undefined),
});

const checkedKeys = z.object({ authorized: z.literal(true), username: z.string() });

type XauthValues = z.infer<typeof values>;

type XauthAnswer =
  | { ok: true; values: XauthValues }
  | {
      readonly ok: false;
      /** Reason; "" if the provider gives none. */
      readonly reason: string;
      readonly values: XauthValues;
      /** Code of the provider, or the HTTP status; 0 if there is no readable response. */
      readonly status: number;
    };

async function callXauth(
  { url, access, secret }: XauthOptions,
  op: string,
  { fields, headers = {} }: { fields: Record<string, unknown>; headers?: Record<string, string> },
): Promise<XauthAnswer> {
  const target = new URL(url);
  target.searchParams.set("op", op);
  const response = await callProvider(target, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...fields, access, secret }),
  });
  if (typeof response === "string") return { ok: false, reason: response, values: {}, status: 0 };
  const { status, json } = response;
  const { data: answer } = xauthAnswer.safeParse(json);
  if (answer === undefined)
    return { ok: false, reason: statusReason(status) ?? "undefined_error", values: {}, status: 0 };
  const { success, values: members = {}, error, code } = answer;
  if (status < 400 && success === true) return { ok: true, values: members };
  const reason = statusReason(status) ?? members.reason ?? error ?? "";
  return { ok: false, reason: reason.slice(0, REASON_LENGTH), values: members, status: code ?? status };
}

function statusReason(status: number): string | undefined {
  if (status === 403) return "security_error";
  if (status === 504) return "request_timeout";
  return status >= 500 ? "undefined_error" : undefined;
}

import * as z from "zod";
import { isEmail } from "../../catalog/accounts.ts";
import { Failure, failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { privateJson } from "../http/reply.ts";
import { attemptLogin, resolveLogin, startSession } from "./authentication.ts";
import { identityProvider } from "./identity-provider.ts";
import type { AuthReason } from "./identity.ts";
import { mailAfterwards, spendMail } from "./account-emails.ts";
import { ACCOUNT_BODY_BYTES } from "./account-form.ts";

const failed = z.object({ error: z.string() });

export const issueOtp = operation({
  id: "issueOtp",
  summary: "Request a login code by email",
  tag: "account",
  form: { email: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Email with a code sent, if an account has the address; or the reason for a refusal",
      schema: z.union([z.object({ success: z.literal(true) }), failed]),
    },
    429: { description: "Too many emails", schema: failed },
  },
  async handle({ form }, context) {
    const error = await withRateLimitError(() => issueCode(context, form.email.trim()));
    return privateJson(error === undefined ? { success: true } : { error });
  },
});

/** Seconds until a patron may ask again after the provider has refused a further code. */
const CODE_RETRY_SECONDS = 60;

/** Emails a code (Q159). Returns the reason of a failure; throws 429, for unknown addresses too. */
async function issueCode(context: RequestContext, email: string): Promise<AuthReason | undefined> {
  if (email === "") return "missing_email";
  if (!isEmail(email)) return "invalid_email";
  const { otp } = identityProvider(context);
  if (otp === undefined) return "otp_issue_failed";
  await spendMail(context, email);
  if (context.settings.IDENTITY_PROVIDER === "local") {
    // Neither the response nor its time reveals if there is an account.
    mailAfterwards(context, async () => void (await otp.issue(email, context.client)));
    return undefined;
  }
  const { ok, rateLimited = false } = await otp.issue(email, context.client);
  if (rateLimited) throw rateLimitError({ "Retry-After": String(CODE_RETRY_SECONDS) });
  return ok ? undefined : "otp_issue_failed";
}

/** Converts a 429 to the form that these routes use. */
async function withRateLimitError<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure && error.status === 429 ? rateLimitError(error.headers) : error;
  }
}

function rateLimitError(headers: Readonly<Record<string, string>>): Failure {
  return failure("too_many_requests.attempts", {}, { body: { error: "rate_limited" }, headers });
}

const OWN_BOOKS = "/account/books";

export const redeemOtp = operation({
  id: "redeemOtp",
  summary: "Log in with a code",
  tag: "account",
  form: {
    email: z.string().default(""),
    otp: z.string().default("").describe("Code from the email"),
    redirect: z.string().default(OWN_BOOKS).describe("Path on this site to go to afterwards"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Logged in, cookies set; or the reason for a refusal",
      schema: z.union([z.object({ success: z.literal(true), redirect: z.string() }), failed]),
    },
    429: { description: "Too many failed logins", schema: failed },
  },
  async handle({ form: { email, otp, redirect } }, context) {
    const error = await withRateLimitError(() => logInByCode(context, email.trim(), otp.trim()));
    if (error !== undefined) return privateJson({ error });
    return privateJson({ success: true, redirect: redirectTarget(redirect) ?? OWN_BOOKS });
  },
});

async function logInByCode(context: RequestContext, email: string, code: string) {
  if (email === "" || code === "") return "missing_fields";
  const { otp } = identityProvider(context);
  if (otp === undefined) return "invalid_otp";
  const login = await attemptLogin(context, { kind: "email", email, password: "" }, async () => {
    const value = await resolveLogin(context, await otp.redeem(email, code, context.client));
    return { value, failure: value.ok ? undefined : value.reason };
  });
  if (!login.ok) return login.reason;
  try {
    await startSession(context, login, false);
  } catch (error) {
    if (error instanceof Failure && error.status === 400) return "otp_redeem_incomplete";
    throw error;
  }
  return undefined;
}

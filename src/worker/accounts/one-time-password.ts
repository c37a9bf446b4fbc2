import * as z from "zod";
import { isEmail } from "../../catalog/accounts.ts";
import { Failure, failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { attemptLogin, startSession } from "./authentication.ts";
import { identityProvider } from "./identity-provider.ts";
import type { AuthReason } from "./identity.ts";
import { completeLogin } from "./link-identity.ts";
import { mailAfterwards, spendMail } from "./account-emails.ts";
import { ACCOUNT_BODY_BYTES } from "./account-form.ts";

/** Seconds until a patron may ask again after the provider has refused a further code. */
const CODE_RETRY_SECONDS = "60";

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
    const email = form.email.trim();
    return answer(async () => {
      if (email === "") return "missing_email";
      if (!isEmail(email)) return "invalid_email";
      const { otp } = identityProvider(context);
      if (otp === undefined) return "otp_issue_failed";
      // Counted for unknown addresses too (Q159).
      await spendMail(context, email);
      if (context.settings.IDENTITY_PROVIDER === "local") {
        // Neither the response nor its time reveals if there is an account.
        mailAfterwards(context, async () => void (await otp.issue(email, context.client)));
        return undefined;
      }
      const { ok, rateLimited = false } = await otp.issue(email, context.client);
      if (rateLimited) {
        throw failure("too_many_requests.attempts", {}, { headers: { "Retry-After": CODE_RETRY_SECONDS } });
      }
      return ok ? undefined : "otp_issue_failed";
    });
  },
});

/** Answers with the reason of a failure, or with `result`. A 429 gets the form that these routes use. */
async function answer(work: () => Promise<AuthReason | undefined>, result: object = {}): Promise<Reply> {
  try {
    const error = await work();
    return privateJson(error === undefined ? { success: true, ...result } : { error });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 429) throw error;
    const { headers } = error;
    throw failure("too_many_requests.attempts", {}, { body: { error: "rate_limited" }, headers });
  }
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
    const code = otp.trim();
    const work = async () => {
      if (email.trim() === "" || code === "") return "missing_fields";
      const { otp: codes } = identityProvider(context);
      if (codes === undefined) return "invalid_otp";
      const credentials = { kind: "email", email: email.trim(), password: "" } as const;
      const login = await attemptLogin(context, credentials, async () => {
        const redeemed = await codes.redeem(credentials.email, code, context.client);
        const value = await completeLogin(context, redeemed);
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
    };
    return answer(work, { redirect: redirectTarget(redirect) ?? OWN_BOOKS });
  },
});

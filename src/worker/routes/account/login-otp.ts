import * as z from "zod";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { issueCode, logInByCode } from "../../accounts/one-time-password.ts";
import { privateJson } from "../../http/reply.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { operation } from "../../http/operation.ts";

const OWN_BOOKS = "/account/books";
const failed = z.object({ error: z.string() });

/** `POST /account/login/otp/issue`: mails a code to log in with (patrons.md 1.5). */
export const issueOtp = operation({
  id: "issueOtp",
  summary: "Ask for a code to log in with",
  tag: "account",
  form: { email: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "If an account has the address, a mail is on its way; or why none can be",
      schema: z.union([z.object({ success: z.literal(true) }), failed]),
    },
    429: { description: "Too many mails", schema: failed },
  },
  async handle({ form }, context) {
    const error = await issueCode(context, form.email.trim());
    return privateJson(error === undefined ? { success: true } : { error });
  },
});

/** `POST /account/login/otp/redeem`: logs in with such a code. */
export const redeemOtp = operation({
  id: "redeemOtp",
  summary: "Log in with a code",
  tag: "account",
  form: {
    email: z.string().default(""),
    otp: z.string().default("").describe("The code"),
    redirect: z.string().default(OWN_BOOKS).describe("Path on this site to go to"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Logged in: cookies are set; or why not",
      schema: z.union([z.object({ success: z.literal(true), redirect: z.string() }), failed]),
    },
    429: { description: "Too many failed logins", schema: failed },
  },
  async handle({ form: { email, otp, redirect } }, context) {
    const error = await logInByCode(context, { email: email.trim(), code: otp.trim() });
    if (error !== undefined) return privateJson({ error });
    return privateJson({ success: true, redirect: redirectTarget(redirect) ?? OWN_BOOKS });
  },
});

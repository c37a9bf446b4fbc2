import * as z from "zod";
import { isEmail } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";
import { messagePage } from "./account-page.ts";
import { missingField, newPasswordProblem } from "./availability.ts";
import { spend } from "./budgets.ts";
import { mailAfterwards, mailLink, mailSpenders } from "./letters.ts";
import { ACCOUNT_BODY_BYTES } from "./login-form.ts";
import { badResetLink, forgotPasswordPage, resetPasswordPage } from "./password-page.ts";
import { isResetCode, setPasswordByCode as reset } from "./password.ts";
import { type Problem, problemsFound } from "./problems.ts";
import { providerPage } from "./provider-page.ts";

/** `POST /account/password/reset/{code}`: sets a new password. All sessions end, and the link is used up. */
export const resetPassword = operation({
  id: "resetPassword",
  summary: "Set a new password by a link out of a mail",
  tag: "account",
  path: { code: z.string() },
  form: { password: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: { description: "Set", schema: z.object({ status: z.literal("ok") }), also: ["text/html"] },
    303: { description: "To the identity provider, where that is done there" },
    404: { description: "The link does not work" },
  },
  async handle({ path: { code }, form: { password } }, context) {
    const elsewhere = providerPage(context, "forgotPassword");
    if (elsewhere !== undefined) return elsewhere;
    const isPerson = wantsHtml(context.request);
    const problem = password === "" ? missingField("password") : newPasswordProblem(context, password);
    if (problem !== undefined) {
      if (isPerson) return resetPasswordPage(code, [problem]);
      throw problemsFound([problem]);
    }
    if (!(await reset(context, code, password))) {
      if (isPerson) return badResetLink();
      throw notFound();
    }
    if (!isPerson) return privateJson({ status: "ok" });
    return messagePage({
      title: "Your password is set",
      text: "You were logged out everywhere.",
      link: { href: "/account/login", text: "Log in" },
    });
  },
});

/** `GET /account/password/reset/{code}`: the link of the mail. It is used up by the form, not by looking at it. */
export const resetPasswordForm = operation({
  id: "resetPasswordPage",
  summary: "Page on which a new password is set",
  tag: "account",
  path: { code: z.string() },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where that is done there" },
    404: { description: "The link does not work", contentType: "text/html" },
  },
  async handle({ path: { code } }, context) {
    const elsewhere = providerPage(context, "forgotPassword");
    if (elsewhere !== undefined) return elsewhere;
    return (await isResetCode(context, code)) ? resetPasswordPage(code) : badResetLink();
  },
});

/**
 * Mails a link for a new password to an address, if an account has it. Neither the answer nor its time tells whether
 * that is so. Returns what is wrong with the address itself; throws a 429, for unknown addresses too.
 */
async function requestPasswordReset(context: RequestContext, email: string): Promise<readonly Problem[]> {
  const address = email.trim();
  if (address === "") return [missingField("email")];
  if (!isEmail(address)) {
    return [{ field: "email", code: "invalid_email", message: "This is not an e-mail address." }];
  }
  await spend(context, mailSpenders(context, address));
  mailAfterwards(context, () => mailIfKnown(context, address));
  return [];
}

async function mailIfKnown(context: RequestContext, address: string): Promise<void> {
  const account = await findAccount(context.stores.patrons, { email: address });
  if (account === undefined || account.status === "blocked") return;
  const { username, email } = account;
  await mailLink(context, { username, email, purpose: "password" });
}

/** `POST /account/password/forgot`: mails a link, and does not tell whether there is an account. */
export const forgotPassword = operation({
  id: "forgotPassword",
  summary: "Ask for a new password",
  tag: "account",
  form: { email: z.string().default("") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "If an account has the address, a mail is on its way",
      schema: z.object({ status: z.literal("sent") }),
      also: ["text/html"],
    },
    303: { description: "To the identity provider, where that is done there" },
  },
  async handle({ form: { email } }, context) {
    const elsewhere = providerPage(context, "forgotPassword");
    if (elsewhere !== undefined) return elsewhere;
    const problems = await requestPasswordReset(context, email);
    const isPerson = wantsHtml(context.request);
    if (problems.length > 0) {
      if (isPerson) return forgotPasswordPage(email, problems);
      throw problemsFound(problems);
    }
    // Q156: the same for everybody.
    if (!isPerson) return privateJson({ status: "sent" });
    return messagePage({
      title: "Please check your mail",
      text: `If there is an account with the address ${email.trim()}, we have sent a link to it.`,
    });
  },
});

/** `GET /account/password/forgot`: the form that asks for a link. */
export const forgotPasswordForm = operation({
  id: "forgotPasswordPage",
  summary: "Page for those who have forgotten their password",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where passwords are kept there" },
  },
  handle: (_input, context) => providerPage(context, "forgotPassword") ?? forgotPasswordPage(),
});

import * as z from "zod";
import { requestPasswordReset } from "../../accounts/forgot-password.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { privateJson } from "../../http/reply.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { forgotPasswordPage } from "../../pages/account/password-pages.ts";
import { wantsHtml } from "../../http/accept.ts";

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

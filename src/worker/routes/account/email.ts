import * as z from "zod";
import { requestEmailChange } from "../../accounts/change-email.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownAccount } from "../../accounts/own-account.ts";
import { privateJson } from "../../http/reply.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { changeEmailPage } from "../../pages/account/password-pages.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `POST /account/email`: asks for another address, which holds once the link mailed to it is followed. */
export const changeEmail = operation({
  id: "changeEmail",
  summary: "Change the e-mail address",
  tag: "account",
  form: {
    email: z.string().default("").describe("New address"),
    password: z.string().default("").describe("Password of the account"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "A mail with a link is on its way",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    303: { description: "To the identity provider, where that is done there" },
  },
  async handle({ form: { email, password } }, context) {
    const elsewhere = providerPage(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    const { username, email: now } = await ownAccount(context);
    const problems = await requestEmailChange(context, { username, email, password });
    const isPerson = wantsHtml(context.request);
    if (problems.length > 0) {
      if (isPerson) return changeEmailPage({ now, email }, problems);
      throw problemsFound(problems);
    }
    const address = email.trim();
    if (!isPerson) return privateJson({ status: "verify", email: address });
    return messagePage({
      title: "Please check your mail",
      text: `We have sent a link to ${address}. It is your new address once you follow it.`,
      link: { href: "/account", text: "Your account" },
    });
  },
});

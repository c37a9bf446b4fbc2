import * as z from "zod";
import { changePassword as change } from "../../accounts/change-password.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { changePasswordPage } from "../../pages/account/password-pages.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `POST /account/password`: another password for the old one. All other sessions end. */
export const changePassword = operation({
  id: "changePassword",
  summary: "Change the password",
  tag: "account",
  form: {
    password: z.string().default("").describe("Password until now"),
    new_password: z.string().default(""),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: { description: "Changed", schema: z.object({ status: z.literal("ok") }), also: ["text/html"] },
    303: { description: "To the identity provider, where that is done there" },
  },
  async handle({ form: { password, new_password: newPassword } }, context) {
    const elsewhere = providerPage(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    const problems = await change(context, await ownSession(context), { password, newPassword });
    const isPerson = wantsHtml(context.request);
    if (problems.length > 0) {
      if (isPerson) return changePasswordPage(problems);
      throw problemsFound(problems);
    }
    if (!isPerson) return privateJson({ status: "ok" });
    return messagePage({
      title: "Your password is changed",
      text: "You are still logged in here, and nowhere else.",
      link: { href: "/account", text: "Your account" },
    });
  },
});

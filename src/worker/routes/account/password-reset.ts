import * as z from "zod";
import { missingField, newPasswordProblem } from "../../accounts/availability.ts";
import { resetPassword as reset } from "../../accounts/change-password.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { privateJson } from "../../http/reply.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { badResetLink, resetPasswordPage } from "../../pages/account/password-pages.ts";
import { wantsHtml } from "../../http/accept.ts";

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

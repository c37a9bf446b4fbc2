import * as z from "zod";
import { isResetCode } from "../../accounts/change-password.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { badResetLink, resetPasswordPage } from "../../pages/account/password-pages.ts";

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

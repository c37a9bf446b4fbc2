import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { forgotPasswordPage } from "../../pages/account/password-pages.ts";

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

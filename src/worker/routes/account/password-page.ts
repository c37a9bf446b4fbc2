import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { changePasswordPage } from "../../pages/account/password-pages.ts";

/** `GET /account/password`: the form for another password. */
export const passwordForm = operation({
  id: "passwordPage",
  summary: "Page on which the password is changed",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where passwords are changed there" },
  },
  handle: (_input, context) => providerPage(context, "settings") ?? changePasswordPage(),
});

import { ownAccount } from "../../accounts/own-account.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { changeEmailPage } from "../../pages/account/password-pages.ts";

/** `GET /account/email`: the form for another address. */
export const emailForm = operation({
  id: "emailPage",
  summary: "Page on which the e-mail address is changed",
  tag: "account",
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the identity provider, where addresses are changed there" },
  },
  async handle(_input, context) {
    return providerPage(context, "settings") ?? changeEmailPage({ now: (await ownAccount(context)).email });
  },
});

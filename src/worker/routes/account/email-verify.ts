import * as z from "zod";
import { type EmailChange, confirmEmailChange } from "../../accounts/change-email.ts";
import { seeOther } from "../../http/reply.ts";
import { providerPage } from "../../accounts/provider-pages.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";

const OUTCOMES: Readonly<Record<EmailChange, { title: string; text: string; status: number }>> = {
  changed: { title: "Your address is changed", text: "From now on you log in with it.", status: 200 },
  taken: {
    title: "This address is taken",
    text: "Another account has the address by now, so yours was not changed.",
    status: 409,
  },
  "bad-code": {
    title: "This link does not work",
    text: "It was used already, or is too old, or there is a newer one.",
    status: 404,
  },
};

/** `GET /account/email/verify/{code}`: the link mailed to a new address. */
export const verifyEmail = operation({
  id: "verifyEmail",
  summary: "Confirm a new e-mail address",
  tag: "account",
  path: { code: z.string() },
  inReadOnly: false,
  responses: {
    200: { description: "The address is changed", contentType: "text/html" },
    303: { description: "To the identity provider, where that is done there" },
    404: { description: "The link does not work", contentType: "text/html" },
    409: { description: "The address is taken", contentType: "text/html" },
  },
  async handle({ path: { code } }, context) {
    const elsewhere = providerPage(context, "settings");
    if (elsewhere !== undefined) return elsewhere;
    // Q157: a link that is only looked at stays good.
    if (context.request.method === "HEAD") return seeOther("/account/email");
    const link = { href: "/account", text: "Your account" };
    return messagePage({ ...OUTCOMES[await confirmEmailChange(context, code)], link });
  },
});

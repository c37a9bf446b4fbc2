import { ownAccount } from "../../accounts/own-account.ts";
import { operation } from "../../http/operation.ts";
import { settingsPage } from "../../pages/account/settings-pages.ts";
import { hasRole } from "../../http/access.ts";

/** `GET /account`: the page from which everything about an account is reached. */
export const accountOverview = operation({
  id: "accountPage",
  summary: "Page of the own account",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const [{ username, displayname, email }, actor] = await Promise.all([
      ownAccount(context),
      context.actor(),
    ]);
    return settingsPage({ username, displayname, email, isAdmin: hasRole(actor, "admin") });
  },
});

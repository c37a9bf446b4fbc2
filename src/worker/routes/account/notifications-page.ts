import { ownSession } from "../../accounts/own-session.ts";
import { readPreferences } from "../../accounts/preferences.ts";
import { operation } from "../../http/operation.ts";
import { notificationsPage } from "../../pages/account/settings-pages.ts";

/** `GET /account/notifications`: the form for what mails a patron gets. */
export const notificationsForm = operation({
  id: "notificationsPage",
  summary: "Page on which notifications are chosen",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return notificationsPage(await readPreferences(context, username));
  },
});

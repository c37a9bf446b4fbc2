import { ownSession } from "../../accounts/own-session.ts";
import { readPreferences } from "../../accounts/preferences.ts";
import { operation } from "../../http/operation.ts";
import { privacyPage } from "../../pages/account/settings-pages.ts";

/** `GET /account/privacy`: the form for what others may see. */
export const privacyForm = operation({
  id: "privacyPage",
  summary: "Page on which privacy is chosen",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return privacyPage(await readPreferences(context, username));
  },
});

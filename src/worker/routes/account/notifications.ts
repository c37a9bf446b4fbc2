import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { savePreferences, yesNo } from "../../accounts/preferences.ts";
import { seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

/** `POST /account/notifications`: the whole form; a box that is not ticked is a no. */
export const saveNotifications = operation({
  id: "saveNotifications",
  summary: "Choose notifications",
  tag: "account",
  form: { updates: yesNo.default("no") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 303: { description: "Saved; to /account" } },
  async handle({ form: { updates } }, context) {
    const { username } = await ownSession(context);
    await savePreferences(context, username, { updates });
    return seeOther("/account");
  },
});

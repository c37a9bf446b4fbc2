import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { savePreferences, yesNo } from "../../accounts/preferences.ts";
import { seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

/** `POST /account/privacy`: the whole form; a box that is not ticked is a no. */
export const savePrivacy = operation({
  id: "savePrivacy",
  summary: "Choose privacy",
  tag: "account",
  form: { public_readlog: yesNo.default("no"), safe_mode: yesNo.default("no") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 303: { description: "Saved; to /account" } },
  async handle({ form }, context) {
    const { username } = await ownSession(context);
    await savePreferences(context, username, form);
    return seeOther("/account");
  },
});

import * as z from "zod";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { preferenceChanges, savePreferences } from "../../accounts/preferences.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

/** `POST /account/preferences.json`: changes some preferences; the others stay. */
export const changePreferences = operation({
  id: "changePreferences",
  summary: "Change own preferences",
  tag: "account",
  json: preferenceChanges,
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) } },
  async handle({ json }, context) {
    const { username } = await ownSession(context);
    return privateJson(await savePreferences(context, username, json));
  },
});

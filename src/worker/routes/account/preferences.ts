import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { readPreferences } from "../../accounts/preferences.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

/** `GET /account/preferences.json`: one's own preferences. */
export const preferences = operation({
  id: "preferences",
  summary: "Own preferences",
  tag: "account",
  responses: { 200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return privateJson(await readPreferences(context, username));
  },
});

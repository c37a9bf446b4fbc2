import * as z from "zod";
import { findAccount } from "../../../db/accounts/read.ts";
import { readPreferences } from "../../accounts/preferences.ts";
import { privateJson } from "../../http/reply.ts";
import { forbidden, notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { hasRole } from "../../http/access.ts";

/** `GET /people/{username}/preferences.json`: for the patron and administrators. */
export const preferencesOf = operation({
  id: "preferencesOf",
  summary: "Preferences of a patron",
  tag: "account",
  path: { username: z.string() },
  responses: {
    200: { description: "All of them, by name", schema: z.record(z.string(), z.string()) },
    403: { description: "Somebody else's" },
  },
  async handle({ path: { username } }, context) {
    const actor = await context.actor();
    const isOwn = actor.username?.toLowerCase() === username.toLowerCase();
    if (!isOwn && !hasRole(actor, "admin")) throw forbidden("Forbidden");
    if ((await findAccount(context.stores.patrons, { username })) === undefined) throw notFound();
    return privateJson(await readPreferences(context, username));
  },
});

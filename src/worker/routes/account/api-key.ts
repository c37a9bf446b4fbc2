import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { createApiKey } from "../../../db/accounts/api-keys.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { newApiKey } from "../../accounts/secret.ts";
import { operation } from "../../http/operation.ts";
import { apiKeyPage } from "../../pages/account/api-key-page.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `POST /account/api-key`: makes a key pair, instead of the one there was. Its secret is shown this once. */
export const makeApiKey = operation({
  id: "makeApiKey",
  summary: "Make a key pair for programs",
  tag: "account",
  responses: {
    200: {
      description: "The pair",
      schema: z.object({ access: z.string(), secret: z.string() }),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    const key = newApiKey();
    const created = datetimeText(context.now);
    await createApiKey(context.stores.patrons, { ...key, username, created });
    if (wantsHtml(context.request)) return apiKeyPage({ access: key.access, created }, key);
    return privateJson(key);
  },
});

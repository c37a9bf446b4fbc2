import * as z from "zod";
import { deleteApiKey } from "../../../db/accounts/api-keys.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson, seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `DELETE /account/api-key`, or `POST /account/api-key/delete` by a form: the pair is void. */
export const removeApiKey = operation({
  id: "removeApiKey",
  summary: "Delete the key pair for programs",
  tag: "account",
  responses: {
    200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "For people: back to the page" },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    await deleteApiKey(context.stores.patrons, username);
    return wantsHtml(context.request) ? seeOther("/account/api-key") : privateJson({ status: "ok" });
  },
});

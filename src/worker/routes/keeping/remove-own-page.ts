import { ownAccount } from "../../accounts/own-account.ts";
import { readPasswordHash } from "../../../db/accounts/read.ts";
import { operation } from "../../http/operation.ts";
import { removePage } from "../../pages/keeping/remove-page.ts";

/** `GET /account/remove`: the form with which somebody removes his account. */
export const removeOwnForm = operation({
  id: "removeOwnPage",
  summary: "Page on which one removes the own account",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownAccount(context);
    const hash = await readPasswordHash(context.stores.patrons, username);
    return removePage({ username, hasPassword: typeof hash === "string" });
  },
});

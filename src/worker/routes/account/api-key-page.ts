import { findApiKey } from "../../../db/accounts/api-keys.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { operation } from "../../http/operation.ts";
import { apiKeyPage } from "../../pages/account/api-key-page.ts";

/** `GET /account/api-key`: the own key pair, without its secret. */
export const apiKeyForm = operation({
  id: "apiKeyPage",
  summary: "Page of the own key pair for programs",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return apiKeyPage(await findApiKey(context.stores.patrons, username));
  },
});

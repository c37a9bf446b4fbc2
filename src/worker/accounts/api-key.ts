import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findApiKey } from "../../db/accounts/read-secrets.ts";
import { createApiKey, deleteApiKey } from "../../db/accounts/write-secrets.ts";
import { operation } from "../http/operation.ts";
import { audit } from "../platform/audit.ts";
import { command } from "../ui/command.ts";
import { mailNotice } from "./account-emails.ts";
import { ACCOUNT_BODY_BYTES, PAGE, STATUS_OK, toValidationError } from "./account-form.ts";
import { apiKeyPage } from "./api-key-page.ts";
import { WRONG_PASSWORD, confirmPassword } from "./authentication.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { newApiKey } from "./secret.ts";

/** Requires the password (Q155), because a key pair still works after all sessions have ended. */
export const makeApiKey = command({
  id: "makeApiKey",
  summary: "Create an API key pair",
  tag: "account",
  form: { password: z.string().default("").describe("Password of the account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Key pair",
      schema: z.object({ access: z.string(), secret: z.string() }),
      also: ["text/html"],
    },
  },
  load: (_input, context) => ownAccount(context),
  async submit({ form: { password }, loaded: account }, context) {
    const { username } = account;
    const proof = await confirmPassword(context, account, password);
    const made = newApiKey();
    const key = { ...made, username, created: formatDatetime(context.now), proof };
    if (!(await createApiKey(context.stores.patrons, key))) throw toValidationError([WRONG_PASSWORD]);
    mailNotice(context, "key", account);
    await audit(context, { event: "key-made", subject: `/people/${username}` });
    return made;
  },
  page: async (made, { loaded }, context) =>
    apiKeyPage(context, await findApiKey(context.stores.patrons, loaded.username), { made }),
  again: async (refusal, { loaded }, context) =>
    apiKeyPage(context, await findApiKey(context.stores.patrons, loaded.username), { refusal }),
});

export const apiKeyForm = operation({
  id: "apiKeyPage",
  summary: "Show the API key page",
  tag: "account",
  responses: PAGE,
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return apiKeyPage(context, await findApiKey(context.stores.patrons, username));
  },
});

export const removeApiKey = command({
  id: "removeApiKey",
  summary: "Delete your API key pair",
  tag: "account",
  responses: {
    200: { description: "Key pair deleted", schema: STATUS_OK },
    303: { description: "For browsers: redirect to the API key page" },
  },
  async submit(_input, context) {
    const { username } = await ownSession(context);
    await deleteApiKey(context.stores.patrons, username);
    await audit(context, { event: "key-deleted", subject: `/people/${username}` });
    return { status: "ok" };
  },
  done: { to: "/account/api-key", notice: "accounts.key_deleted" },
});

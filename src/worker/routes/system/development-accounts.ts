import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { createAccounts } from "../../../db/patrons/create-accounts.ts";
import { hashPassword } from "../../accounts/password.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

const USERNAMES = ["openlibrary", "librarian", "patron", "reader"];

/**
 * `POST /system/development-accounts`: the accounts of a development service, whose passwords equal their
 * names. There is no such route on a deployed service.
 */
export const developmentAccounts = operation({
  id: "developmentAccounts",
  summary: "Create the development accounts (development only)",
  tag: "operation",
  responses: { 200: { description: "The usernames", schema: z.object({ accounts: z.array(z.string()) }) } },
  async handle(_input, { settings, stores, sources }) {
    if (settings.ENVIRONMENT !== "development") throw notFound();
    const created = datetimeText(sources.now());
    const accounts = [];
    for (const username of USERNAMES) {
      const passwordHash = await hashPassword(username);
      accounts.push({ username, email: `${username}@example.com`, passwordHash, created });
    }
    await createAccounts(stores.patrons, accounts);
    return json({ accounts: USERNAMES }, { cacheControl: NO_STORE });
  },
});

import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { createAccounts } from "../../../db/patrons/create-accounts.ts";
import { hashPassword } from "../../accounts/password.ts";
import { bodyText } from "../../body.ts";
import { badData, notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { queryJson } from "../../records-query.ts";
import { NO_STORE, json } from "../../reply.ts";

/** Largest body, in bytes, and most accounts in it. */
export const ACCOUNTS_BODY_BYTES = 4096;
export const ACCOUNTS = 20;
const body = z.object({ usernames: z.array(z.string().regex(/^[a-z]\w{2,19}$/)).max(ACCOUNTS) });

/**
 * `POST /system/development-accounts`: the accounts of a development service, whose passwords equal their
 * names. There is no such route on a deployed service.
 */
export const developmentAccounts = operation({
  id: "developmentAccounts",
  summary: "Create the development accounts (development only)",
  tag: "operation",
  body: { contentType: "application/json", description: "An object with the array `usernames`" },
  responses: { 200: { description: "The usernames", schema: z.object({ accounts: z.array(z.string()) }) } },
  async handle(_input, { settings, stores, request, now }) {
    if (settings.ENVIRONMENT !== "development") throw notFound();
    const parsed = body.safeParse(queryJson(await bodyText(request, ACCOUNTS_BODY_BYTES)));
    if (!parsed.success) throw badData("Bad body: expected usernames");
    const { usernames } = parsed.data;
    const created = datetimeText(now);
    const accounts = [];
    for (const username of usernames) {
      const passwordHash = await hashPassword(username);
      accounts.push({ username, email: `${username}@example.com`, passwordHash, created });
    }
    await createAccounts(stores.patrons, accounts);
    return json({ accounts: usernames }, { cacheControl: NO_STORE });
  },
});

import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { seenAccount } from "../../admin/person.ts";
import { EMAIL_LENGTH_MAX } from "../../../catalog/email.ts";
import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../../db/patrons/list-accounts.ts";
import { operation } from "../../operation.ts";
import { peoplePage } from "../../pages/admin/people-page.ts";
import { accountSchema } from "./schemas.ts";

const text = z.string().max(EMAIL_LENGTH_MAX).optional();

/** `GET /admin/people[.json]`: accounts by what their names, or addresses, begin with. */
export const adminPeople = operation({
  id: "adminPeople",
  summary: "Find accounts",
  tag: "administration",
  query: {
    username: text.describe("What usernames begin with, whatever the case"),
    email: text.describe("The same of e-mail addresses; wins over `username`"),
    after: text.describe("The last name, or address, of the answer before"),
  },
  responses: {
    200: {
      description: `At most ${LISTED_ACCOUNTS_MAX} accounts, in order of what was asked for`,
      schema: z.object({ accounts: z.array(accountSchema), next: z.string().nullable() }),
    },
  },
  async handle({ query: { username = "", email = "", after } }, context) {
    const by = email.trim() === "" ? "username" : "email";
    const prefix = (by === "email" ? email : username).trim();
    const found = await listAccounts(context.stores.patrons, {
      by,
      prefix,
      ...(after === undefined ? {} : { after }),
    });
    const accounts = found.map(seenAccount);
    const next = accounts.length < LISTED_ACCOUNTS_MAX ? null : (accounts.at(-1)?.[by] ?? null);
    return shown(context, { accounts, next }, (list) => peoplePage({ ...list, by, prefix }));
  },
});

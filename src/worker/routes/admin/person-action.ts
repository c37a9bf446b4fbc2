import * as z from "zod";
import { ACCOUNT_ACTIONS, doToAccount } from "../../admin/account-actions.ts";
import { answerDone, isForPeople } from "../../admin/done.ts";
import { accountOf } from "../../admin/person.ts";
import { operation } from "../../operation.ts";
import { revertedPage } from "../../pages/admin/reverted-page.ts";
import { boolean } from "../../validation/parameters.ts";
import { ADMIN_BODY_BYTES, doneSchema, revertedSchema } from "./schemas.ts";

/** `POST /admin/people/<username>`: does something to an account (patrons.md 3.2, Q161). */
export const adminPersonAction = operation({
  id: "adminPersonAction",
  summary: "Block, unblock, activate or change an account",
  tag: "administration",
  path: { username: z.string() },
  form: {
    action: z.enum(ACCOUNT_ACTIONS),
    email: z.string().optional().describe("For `update_email`"),
    password: z.string().optional().describe("For `update_password`"),
    bot: boolean().optional().describe("For `set_bot_flag`"),
    tag: z.string().optional().describe("For `add_tag` and `remove_tag`"),
  },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Done; of `block_account_and_revert` with what was reverted",
      schema: z.union([doneSchema, revertedSchema]),
    },
    303: { description: "For people: back to the account" },
    400: { description: "Why it cannot be done" },
    404: { description: "No such account" },
  },
  async handle({ path: { username }, form }, context) {
    const account = await accountOf(context, username);
    const back = `/admin/people/${account.username}`;
    if (form.action === "block_account_and_revert" && isForPeople(context)) {
      const reverted = await doToAccount(context, account, form);
      if (reverted !== undefined) return revertedPage(reverted, back);
    }
    return answerDone(context, back, () => doToAccount(context, account, form));
  },
});

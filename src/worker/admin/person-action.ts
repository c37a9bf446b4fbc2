import * as z from "zod";
import { answerDone, isForPeople } from "../accounts/page-or-json.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { anonymizedPage } from "./removal.ts";
import { anonymizedSchema } from "./anonymize.ts";
import { type AccountAction, type ActionResult, ACCOUNT_ACTIONS, doToAccount } from "./account-actions.ts";
import { accountOf } from "./person.ts";
import { revertedPage } from "./revert-edits.ts";
import { ADMIN_BODY_BYTES, doneSchema, revertedSchema } from "./schemas.ts";

/** `POST /admin/people/<username>`: does something to an account (Q161). */
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
    dry_run: boolean().optional().describe("For `anonymize_account`: count only, and change nothing"),
  },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Done; of some actions with what came of them",
      schema: z.union([doneSchema, revertedSchema, doneSchema.extend(anonymizedSchema.shape)]),
      also: ["text/html"],
    },
    303: { description: "For people: back to the account" },
    400: { description: "Why it cannot be done" },
    404: { description: "No such account" },
  },
  async handle({ path: { username }, form }, context) {
    const account = await accountOf(context, username);
    const back = `/admin/people/${account.username}`;
    if (isTelling(form.action) && isForPeople(context)) {
      const result = await doToAccount(context, account, form);
      if (result !== undefined) return resultPage(result, back);
    }
    return answerDone(context, back, () => doToAccount(context, account, form));
  },
});

/** True for actions of which there is something to tell. */
function isTelling(action: AccountAction): boolean {
  return action === "block_account_and_revert" || action === "anonymize_account";
}

function resultPage(result: ActionResult, back: string): Reply {
  return "new_username" in result ? anonymizedPage(result) : revertedPage(result, back);
}

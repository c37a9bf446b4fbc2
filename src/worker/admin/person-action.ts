import * as z from "zod";
import { answerDone, problemPage } from "../ui/action-answer.ts";
import { isForPeople } from "../http/page-or-json.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { type Anonymized, anonymizedSchema } from "../patrons/data/removal.ts";
import { factList } from "../ui/facts.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { type ActionResult, ACCOUNT_ACTIONS, doToAccount } from "./account-actions.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";
import { confirmPage, isConfirmed, needsConfirmation, removalFacts } from "./confirm-action.ts";
import { accountOf } from "./person.ts";
import { revertedPage, revertedSchema } from "./revert-edits.ts";

/** `POST /admin/people/<username>`: runs an action on an account (Q161). */
export const adminPersonAction = operation({
  ...ADMIN_FORM,
  id: "adminPersonAction",
  summary: "Block, unblock, activate or change an account",
  path: { username: z.string() },
  form: {
    action: z.enum(ACCOUNT_ACTIONS),
    email: z.string().optional().describe("For `update_email`"),
    password: z.string().optional().describe("For `update_password`"),
    bot: boolean().optional().describe("For `set_bot_flag`"),
    tag: z.string().optional().describe("For `add_tag` and `remove_tag`"),
    confirm: z
      .string()
      .optional()
      .describe("For people: the username, for `block_account_and_revert` and `anonymize_account`"),
    dry_run: boolean().optional().describe("For `anonymize_account`: count only, and change nothing"),
  },
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
    const { action, confirm, ...fields } = form;
    if (needsConfirmation(action) && isForPeople(context)) {
      // Q641
      if (!isConfirmed(account, confirm)) return confirmPage(context, account, { action, typed: confirm });
      return tellResult(back, () => doToAccount(context, account, { action, ...fields }));
    }
    return answerDone(context, { to: back }, () => doToAccount(context, account, { action, ...fields }));
  },
});

async function tellResult(back: string, act: () => Promise<ActionResult | undefined>): Promise<Reply> {
  try {
    const result = await act();
    return result === undefined ? seeOther(back) : resultPage(result, back);
  } catch (error) {
    return problemPage(error, back);
  }
}

function resultPage(result: ActionResult, back: string): Reply {
  return "new_username" in result ? anonymizedPage(result, back) : revertedPage(result, back);
}

/** Renders the result of the removal of an account. */
function anonymizedPage(result: Anonymized, back: string): Reply {
  const body = markup`${factList([
    [say("admin.anonymized_under"), result.new_username],
    ...removalFacts(result),
  ])}
<p>${link(`${back}/removed`, say("admin.removed_revisions_link"))}</p>
<p>${link("/admin/people", say("admin.all_accounts"))}</p>`;
  return adminPage({ title: say("admin.anonymized"), body });
}

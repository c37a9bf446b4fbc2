import * as z from "zod";
import { boolean } from "../http/parameters.ts";
import { anonymizedSchema, previewRemoval } from "../patrons/data/removal.ts";
import { command, isPerson } from "../ui/command.ts";
import { ACCOUNT_ACTIONS, runAccountAction } from "./account-actions.ts";
import { ADMIN_FORM, doneSchema, okJson } from "./admin-form.ts";
import { anonymizedPage, confirmActionPage, needsConfirmation, revertedPage } from "./person-action-page.ts";
import { requireAccount } from "./person.ts";
import { previewRevert, revertedBody, revertedSchema } from "./revert-edits.ts";

/** `POST /admin/people/<username>`: runs an action on an account (Q161). */
export const adminPersonAction = command({
  ...ADMIN_FORM,
  id: "adminPersonAction",
  summary: "Block, unblock, activate or change an account",
  path: { username: z.string() },
  form: {
    action: z.enum(ACCOUNT_ACTIONS),
    email: z.string().optional().describe("Email address, for `update_email`"),
    password: z.string().optional().describe("Password, for `update_password`"),
    bot: boolean().optional().describe("Bot flag, for `set_bot_flag`"),
    tag: z.string().optional().describe("Tag, for `add_tag` and `remove_tag`"),
    confirm: z
      .string()
      .optional()
      .describe(
        "Username to confirm `block_account_and_revert` and `anonymize_account`; required of browsers",
      ),
    dry_run: boolean()
      .optional()
      .describe("True to count without changing anything, for `anonymize_account`"),
  },
  responses: {
    200: {
      description: "Outcome of the action",
      schema: z.union([doneSchema, revertedSchema, doneSchema.extend(anonymizedSchema.shape)]),
      also: ["text/html"],
    },
    303: { description: "Redirect to the account, for browsers" },
    400: { description: "Action that is not possible" },
  },
  load: ({ path }, context) => requireAccount(context, path.username),
  async submit({ form: { action, confirm: typed, ...fields }, loaded: account }, context) {
    const { username } = account;
    const isTyped = typed?.trim().toLowerCase() === username.toLowerCase();
    // Q641
    if (isPerson(context) && needsConfirmation(action) && !isTyped) {
      return action === "anonymize_account"
        ? { action, typed, effects: await previewRemoval(context, account) }
        : { action, typed, effects: await previewRevert(context, `/people/${username}`) };
    }
    return runAccountAction(context, account, { action, ...fields });
  },
  asJson: (result) => okJson(result !== undefined && "failed" in result ? revertedBody(result) : result),
  page(result, { loaded: { username } }) {
    const back = `/admin/people/${username}`;
    if (result === undefined) return undefined;
    if ("effects" in result) return confirmActionPage(username, result);
    return "failed" in result ? revertedPage(result, back) : anonymizedPage(result, back);
  },
  done: { to: ({ loaded }) => `/admin/people/${loaded.username}`, notice: "desk.done" },
});

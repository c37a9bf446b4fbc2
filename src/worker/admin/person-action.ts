import * as z from "zod";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { isForPeople } from "../http/accept.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { type Anonymized, anonymizedSchema, previewRemoval } from "../patrons/data/removal.ts";
import { answerDone, problemPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, t } from "../ui/words.ts";
import { type ActionResult, ACCOUNT_ACTIONS, runAccountAction } from "./account-actions.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";
import { requireAccount } from "./person.ts";
import {
  type RevertPreview,
  previewRevert,
  revertedBody,
  revertedPage,
  revertedSchema,
} from "./revert-edits.ts";

/** `POST /admin/people/<username>`: runs an action on an account (Q161). */
export const adminPersonAction = operation({
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
  async handle({ path: { username }, form: { action, confirm, ...fields } }, context) {
    const account = await requireAccount(context, username);
    const back = `/admin/people/${account.username}`;
    if (!needsConfirmation(action) || !isForPeople(context)) {
      return answerDone(context, { to: back }, async () => {
        const result = await runAccountAction(context, account, { action, ...fields });
        return result !== undefined && "failed" in result ? revertedBody(result) : result;
      });
    }
    // Q641
    const isConfirmed = confirm?.trim().toLowerCase() === account.username.toLowerCase();
    if (!isConfirmed) return confirmPage(context, account, { action, typed: confirm });
    try {
      const result = await runAccountAction(context, account, { action, ...fields });
      return result === undefined ? seeOther(back) : resultPage(result, back);
    } catch (error) {
      return problemPage(error, back);
    }
  },
});

function resultPage(result: ActionResult, back: string): Reply {
  return "new_username" in result ? anonymizedPage(result, back) : revertedPage(result, back);
}

function anonymizedPage(result: Anonymized, back: string): Reply {
  const body = markup`${factList([
    [t("admin.anonymized_under"), result.new_username],
    ...removalFacts(result),
  ])}
<p>${link(`${back}/removed`, t("admin.removed_revisions_link"))}</p>
<p>${link("/admin/people", t("admin.all_accounts"))}</p>`;
  return adminPage({ title: t("admin.anonymized"), body });
}

/** Irreversible actions, which people confirm on a separate page by typing the username. */
const CONFIRMED = {
  block_account_and_revert: "admin.block_revert",
  anonymize_account: "admin.remove_account",
} as const satisfies Readonly<Record<string, Words>>;
type ConfirmedAction = keyof typeof CONFIRMED;

function needsConfirmation(action: string): action is ConfirmedAction {
  return Object.hasOwn(CONFIRMED, action);
}

/** Renders the second step of an irreversible action: its effects, and a form for the username. Changes nothing. */
async function confirmPage(
  context: RequestContext,
  account: FoundAccount,
  { action, typed }: { action: ConfirmedAction; typed: string | undefined },
): Promise<Reply> {
  const { username } = account;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const effects =
    action === "anonymize_account"
      ? markup`<p>${t("admin.removal_hint")}</p>
${factList(removalFacts(await previewRemoval(context, account)))}`
      : revertPreview(await previewRevert(context, `/people/${username}`), path);
  const body = markup`${effects}
${form({
  action: path,
  fields: [
    { name: "action", label: "", type: "hidden", value: action },
    {
      name: "confirm",
      label: t("admin.confirm_name", { name: markup`<b>${username}</b>` }),
      value: typed,
      required: true,
      autocomplete: "off",
      error: typed === undefined ? undefined : t("admin.confirm_wrong"),
    },
  ],
  submit: t(CONFIRMED[action]),
  isDangerous: true,
})}
<p>${link(path, t("admin.confirm_back", { name: username }))}</p>`;
  const title = t("admin.confirm_title", { action: t(CONFIRMED[action]), name: username });
  return adminPage({ title, body, status: typed === undefined ? 200 : 400 });
}

function removalFacts(counts: Anonymized): (readonly [Piece, Piece])[] {
  return [
    [t("admin.anonymized_books"), counts.bookshelves_count],
    [t("admin.anonymized_ratings"), counts.ratings_count],
    [t("admin.anonymized_observations"), counts.observations_count],
    [t("admin.anonymized_awards"), counts.bestbooks_count],
    [t("admin.merge_requests"), counts.merge_request_count],
    [t("admin.anonymized_notes"), counts.booknotes_count],
  ];
}

const OUTCOMES = {
  revert: "admin.revert_back_to",
  delete: "admin.revert_deletes",
  keep: "admin.reverted_kept",
  unknown: "admin.revert_unknown",
} as const satisfies Readonly<Record<RevertPreview["records"][number]["outcome"], Words>>;

function revertPreview({ records, isWhole }: RevertPreview, path: string): Markup {
  const count = (outcome: keyof typeof OUTCOMES): number =>
    records.filter((record) => record.outcome === outcome).length;
  return markup`<p>${t("admin.revert_hint")}</p>
${!isWhole && markup`<p>${t("admin.revert_part", { count: records.length })}</p>`}
${factList([
  [t("admin.reverted_before"), count("revert")],
  [t("admin.reverted_deleted"), count("delete")],
  [t("admin.reverted_left"), count("keep") + count("unknown")],
])}
${
  records.length > 0 &&
  markup`<details><summary>${t("admin.revert_records")}</summary>
${table({
  caption: t("admin.revert_records"),
  columns: [t("admin.record"), t("admin.revert_outcome")],
  rows: records.map(({ key, outcome, revision }) => [
    link(addressOf(key), key),
    t(OUTCOMES[outcome], { revision }),
  ]),
})}</details>`
}
<p>${link(`${path}/edits`, t("admin.revert_some"))}</p>`;
}

import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type Anonymized, previewRemoval } from "../patrons/data/removal.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, say } from "../ui/words.ts";
import { adminPage } from "./admin-page.ts";
import { type RevertPreview, previewRevert } from "./revert-edits.ts";

/** Irreversible actions: people type the username first. */
const CONFIRMED = {
  block_account_and_revert: "admin.block_revert",
  anonymize_account: "admin.remove_account",
} as const satisfies Readonly<Record<string, Words>>;
type ConfirmedAction = keyof typeof CONFIRMED;

/** True for actions that people confirm on a separate page. */
export function needsConfirmation(action: string): action is ConfirmedAction {
  return Object.hasOwn(CONFIRMED, action);
}

/** True if the typed text is the name of the account, in any case. */
export function isConfirmed({ username }: FoundAccount, typed = ""): boolean {
  return typed.trim().toLowerCase() === username.toLowerCase();
}

/** Renders the second step of an irreversible action: its effects, and a form for the username. Changes nothing. */
export async function confirmPage(
  context: RequestContext,
  account: FoundAccount,
  { action, typed }: { readonly action: ConfirmedAction; readonly typed: string | undefined },
): Promise<Reply> {
  const { username } = account;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const effects =
    action === "anonymize_account"
      ? removalEffects(await previewRemoval(context, account))
      : revertEffects(await previewRevert(context, `/people/${username}`), path);
  const body = markup`${effects}
${form({
  action: path,
  fields: [
    { name: "action", label: "", type: "hidden", value: action },
    {
      name: "confirm",
      label: say("admin.confirm_name", { name: markup`<b>${username}</b>` }),
      value: typed,
      required: true,
      autocomplete: "off",
      error: typed === undefined ? undefined : say("admin.confirm_wrong"),
    },
  ],
  submit: say(CONFIRMED[action]),
  isDangerous: true,
})}
<p>${link(path, say("admin.confirm_back", { name: username }))}</p>`;
  const title = say("admin.confirm_title", { action: say(CONFIRMED[action]), name: username });
  return adminPage({ title, body, status: typed === undefined ? 200 : 400 });
}

function removalEffects(counts: Anonymized): Markup {
  return markup`<p>${say("admin.removal_hint")}</p>
${factList(removalFacts(counts))}`;
}

/** Returns the numbers of items that a removal deletes or anonymizes. */
export function removalFacts(counts: Anonymized): (readonly [Piece, Piece])[] {
  return [
    [say("admin.anonymized_books"), counts.bookshelves_count],
    [say("admin.anonymized_ratings"), counts.ratings_count],
    [say("admin.anonymized_observations"), counts.observations_count],
    [say("admin.anonymized_awards"), counts.bestbooks_count],
    [say("admin.merge_requests"), counts.merge_request_count],
    [say("admin.anonymized_notes"), counts.booknotes_count],
  ];
}

const OUTCOMES = {
  revert: "admin.revert_back_to",
  delete: "admin.revert_deletes",
  keep: "admin.reverted_kept",
  unknown: "admin.revert_unknown",
} as const satisfies Readonly<Record<RevertPreview["records"][number]["outcome"], Words>>;

function revertEffects({ records, isWhole }: RevertPreview, path: string): Markup {
  const count = (wanted: keyof typeof OUTCOMES): number =>
    records.filter(({ outcome }) => outcome === wanted).length;
  return markup`<p>${say("admin.revert_hint")}</p>
${!isWhole && markup`<p>${say("admin.revert_part", { count: records.length })}</p>`}
${factList([
  [say("admin.reverted_before"), count("revert")],
  [say("admin.reverted_deleted"), count("delete")],
  [say("admin.reverted_left"), count("keep") + count("unknown")],
])}
${
  records.length > 0 &&
  markup`<details><summary>${say("admin.revert_records")}</summary>
${table({
  caption: say("admin.revert_records"),
  columns: [say("admin.record"), say("admin.revert_outcome")],
  rows: records.map(({ key, outcome, revision }) => [
    link(addressOf(key), key),
    say(OUTCOMES[outcome], { revision }),
  ]),
})}</details>`
}
<p>${link(`${path}/edits`, say("admin.revert_some"))}</p>`;
}

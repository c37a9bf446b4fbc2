import type { Reply } from "../http/reply.ts";
import type { Anonymized } from "../patrons/data/removal.ts";
import { adminPage, dataFacts, dataTable } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { link, paragraph } from "../ui/parts.ts";
import { type Words, reason, t } from "../ui/words.ts";
import type { RevertPreview, Reverted } from "./revert-edits.ts";

/** Irreversible actions, which people confirm on a separate page by typing the username. */
const CONFIRMED = {
  block_account_and_revert: "admin.block_revert",
  anonymize_account: "admin.remove_account",
} as const satisfies Readonly<Record<string, Words>>;

export function needsConfirmation(action: string): action is keyof typeof CONFIRMED {
  return Object.hasOwn(CONFIRMED, action);
}

const REMOVED = {
  bookshelves_count: "admin.anonymized_books",
  ratings_count: "admin.anonymized_ratings",
  observations_count: "admin.anonymized_observations",
  bestbooks_count: "admin.anonymized_awards",
  merge_request_count: "admin.merge_requests",
  booknotes_count: "admin.anonymized_notes",
} as const;

export function anonymizedPage(result: Anonymized, back: string): Reply {
  return adminPage({
    title: t("admin.anonymized"),
    parts: [
      dataFacts(result, { new_username: "admin.anonymized_under", ...REMOVED }),
      paragraph(link(`${back}/removed`, t("admin.removed_revisions_link"))),
      paragraph(link("/admin/people", t("admin.all_accounts"))),
    ],
  });
}

interface Confirmation {
  readonly action: keyof typeof CONFIRMED;
  /** Text that was sent in place of the username, if any. */
  readonly typed: string | undefined;
  readonly effects: Anonymized | RevertPreview;
}

const OUTCOMES = {
  revert: "admin.revert_back_to",
  delete: "admin.revert_deletes",
  keep: "admin.reverted_kept",
  unknown: "admin.revert_unknown",
} as const satisfies Readonly<Record<RevertPreview["records"][number]["outcome"], Words>>;

/** Renders the second step of an irreversible action: its effects, and a form for the username. */
export function confirmActionPage(username: string, { action, typed, effects }: Confirmation): Reply {
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const submit = t(CONFIRMED[action]);
  let preview: Piece;
  if ("records" in effects) {
    const { records, isWhole } = effects;
    const { revert = [], delete: deleted = [] } = Object.groupBy(records, ({ outcome }) => outcome);
    const counts = { revert: revert.length, delete: deleted.length };
    preview = [
      paragraph(t("admin.revert_hint")),
      !isWhole && paragraph(t("admin.revert_part", { count: records.length })),
      dataFacts(
        { ...counts, left: records.length - counts.revert - counts.delete },
        { revert: "admin.reverted_before", delete: "admin.reverted_deleted", left: "admin.reverted_left" },
      ),
      records.length > 0 &&
        markup`<details><summary>${t("admin.revert_records")}</summary>
${dataTable({
  caption: t("admin.revert_records"),
  members: {
    key: "admin.record",
    outcome: ["admin.revert_outcome", (outcome, { revision }) => t(OUTCOMES[outcome], { revision })],
  },
  rows: records,
})}</details>`,
      paragraph(link(`${path}/edits`, t("admin.revert_some"))),
    ];
  } else {
    preview = [paragraph(t("admin.removal_hint")), dataFacts(effects, REMOVED)];
  }
  return adminPage({
    title: t("admin.confirm_title", { action: submit, name: username }),
    parts: [
      preview,
      form({
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
        submit,
        isDangerous: true,
      }),
      paragraph(link(path, t("admin.confirm_back", { name: username }))),
    ],
    status: typed === undefined ? 200 : 400,
  });
}

export function revertedPage(result: Reverted, back: string): Reply {
  const { kept, failed, finished } = result;
  const problems = [
    ...kept.map((key) => ({ key, message: t("admin.reverted_kept") })),
    ...failed.map(({ key, text }) => ({ key, message: reason(text) })),
  ];
  return adminPage({
    title: t("admin.reverted"),
    parts: [
      !finished && paragraph(t("admin.reverted_more")),
      dataFacts(result, { reverted: "admin.reverted_before", deleted: "admin.reverted_deleted" }),
      problems.length > 0 &&
        dataTable({
          caption: t("admin.reverted_left"),
          members: { key: "admin.record", message: ["desk.why", (message) => message] },
          rows: problems,
        }),
      paragraph(link(back, t("desk.back"))),
    ],
  });
}

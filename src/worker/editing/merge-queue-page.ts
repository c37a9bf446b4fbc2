import type { MergeRequest } from "../../db/editing/merge-requests.ts";
import type { Reply } from "../http/reply.ts";
import { select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { moment, t } from "../ui/words.ts";
import { DIFFERING_ADDRESS } from "./differing-authors-page.ts";

const STATUS_WORDS = { 0: "merge.declined", 1: "merge.open", 2: "merge.merged" } as const;
const MODE_WORDS = { open: "merge.open", closed: "merge.closed", all: "merge.all" } as const;

interface Part {
  readonly mode: keyof typeof MODE_WORDS;
  readonly submitter?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly order: string;
  readonly page: number;
  readonly limit: number;
}

/** Renders a part of the merge requests. `mayAct`: the reader may comment on them and decide. */
export function mergeQueuePage(
  { requests, total, mayAct }: { requests: readonly MergeRequest[]; total: number; mayAct: boolean },
  part: Part,
): Reply {
  const modes = (["open", "closed", "all"] as const).map((mode) => ({
    href: `/merges?mode=${mode}`,
    text: t(MODE_WORDS[mode]),
    isCurrent: mode === part.mode,
  }));
  const hasMore = part.page * part.limit < total;
  const body = markup`${mayAct && markup`<p>${commas([link(DIFFERING_ADDRESS, t("differ.title")), link("/proposals", t("proposal.title"))])}</p>`}${tabs(t("merge.which"), modes)}
${requests.length === 0 ? markup`<p>${t("merge.none")}</p>` : requestTable(requests, mayAct)}
${pageLinks(
  part.page > 1 ? pageAddress(part, part.page - 1) : undefined,
  hasMore ? pageAddress(part, part.page + 1) : undefined,
)}`;
  return page({ title: t("merge.requests"), body });
}

function pageAddress({ mode, submitter, reviewer, order, limit }: Part, number: number): string {
  const parameters = new URLSearchParams({ mode, order, limit: String(limit), page: String(number) });
  if (submitter !== undefined) parameters.set("submitter", submitter);
  if (reviewer !== undefined) parameters.set("reviewer", reviewer);
  return `/merges?${parameters}`;
}

function requestTable(requests: readonly MergeRequest[], mayAct: boolean): Markup {
  return table({
    caption: t("merge.requests"),
    columns: [
      t("merge.number"),
      t("history.what"),
      t("merge.status"),
      t("history.user"),
      t("merge.reviewer"),
      t("merge.updated"),
      t("history.comment"),
      ...(mayAct ? [t("merge.action_send")] : []),
    ],
    rows: requests.map((request) => [
      String(request.id),
      link(`${request.url}&mrid=${request.id}`, request.title ?? request.url),
      t(STATUS_WORDS[request.status]),
      request.submitter,
      request.reviewer ?? "",
      moment(request.updated),
      request.comments.comments.map(
        ({ username, message }) => markup`<p><bdi>${username}</bdi>: <span dir="auto">${message}</span></p>`,
      ),
      ...(mayAct ? [actionForm(request)] : []),
    ]),
  });
}

const OPEN_ACTIONS = [
  ["comment", t("merge.action_comment")],
  ["claim", t("merge.action_claim")],
  ["unassign", t("merge.action_unassign")],
  ["approve", t("merge.action_approve")],
  ["decline", t("merge.action_decline")],
] as const;

function actionForm({ id, status }: MergeRequest): Markup {
  const options = status === 1 ? OPEN_ACTIONS : OPEN_ACTIONS.slice(0, 1);
  return markup`<form method="post" action="/merges">
<input type="hidden" name="rtype" value="update-request"><input type="hidden" name="mrid" value="${id}">
${select({ id: `action-${id}`, name: "action", label: t("merge.action", { id: String(id) }), options, chosen: "comment" })}
<label for="comment-${id}">${t("history.comment")}</label><input id="comment-${id}" name="comment">
<button>${t("merge.action_send")}</button></form>`;
}

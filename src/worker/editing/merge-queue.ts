import * as z from "zod";
import { type MergeRequest, listRequests } from "../../db/editing/merge-requests.ts";
import { wantsHtml } from "../http/accept.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { moment, t } from "../ui/words.ts";
import { DIFFERING_ADDRESS } from "./differing-authors.ts";

const REQUESTS_LIMIT = { default: 25, max: 100 };
const REQUESTS_PAGE_MAX = 1000;

const query = {
  mode: z.enum(["open", "closed", "all"]).default("open"),
  submitter: z.string().max(100).optional(),
  reviewer: z.string().max(100).optional(),
  order: z.enum(["asc", "desc"]).default("desc"),
  page: integer(z.int().gte(1).lte(REQUESTS_PAGE_MAX)).default(1),
  limit: integer(z.int().gte(1).lte(REQUESTS_LIMIT.max)).default(REQUESTS_LIMIT.default),
};
type Query = { readonly [name in keyof typeof query]: z.output<(typeof query)[name]> };

const STATUS_WORDS = { 0: "merge.declined", 1: "merge.open", 2: "merge.merged" } as const;
const MODE_WORDS = { open: "merge.open", closed: "merge.closed", all: "merge.all" } as const;
const entry = z.object({
  id: z.int(),
  title: z.string().nullable(),
  submitter: z.string(),
  reviewer: z.string().nullable(),
  url: z.string(),
  mr_type: z.int().describe("Type of the records: 1 works, 2 authors"),
  status: z.int().describe("0 declined, 1 pending, 2 merged"),
  comments: z.object({
    comments: z.array(z.object({ timestamp: z.string(), username: z.string(), message: z.string() })),
  }),
  created: z.string(),
  updated: z.string(),
});

export const mergeQueue = operation({
  id: "mergeQueue",
  summary: "List merge requests",
  tag: "editing",
  query,
  responses: {
    200: {
      description: "Page of merge requests; `size` is the total",
      schema: z.object({ size: z.int(), entries: z.array(entry) }),
    },
  },
  async handle({ query: part }, context) {
    const { page: number, limit, ...filter } = part;
    const offset = (number - 1) * limit;
    const result = await listRequests(catalogReader(context), { ...filter, limit, offset });
    const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
    if (isPage) return queuePage(result, part, context);
    const body = { size: result.total, entries: result.requests };
    return json(body, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

async function queuePage(
  { requests, total }: Awaited<ReturnType<typeof listRequests>>,
  part: Query,
  context: RequestContext,
): Promise<Reply> {
  const mayAct = hasRole(await context.actor(), "librarian");
  const modes = (["open", "closed", "all"] as const).map((mode) => ({
    href: `/merges?mode=${mode}`,
    text: t(MODE_WORDS[mode]),
    isCurrent: mode === part.mode,
  }));
  const hasMore = part.page * part.limit < total;
  const body = markup`${mayAct && markup`<p>${link(DIFFERING_ADDRESS, t("differ.title"))}</p>`}${tabs(t("merge.which"), modes)}
${requests.length === 0 ? markup`<p>${t("merge.none")}</p>` : requestTable(requests, mayAct)}
${pageLinks(
  part.page > 1 ? pageAddress(part, part.page - 1) : undefined,
  hasMore ? pageAddress(part, part.page + 1) : undefined,
)}`;
  return page({ title: t("merge.requests"), body });
}

function pageAddress({ mode, submitter, reviewer, order, limit }: Query, number: number): string {
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

import * as z from "zod";
import { type MergeRequest, listRequests } from "../../db/editing/merge-requests.ts";
import { wantsHtml } from "../http/accept.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** Merge requests of one page. */
const REQUESTS_LIMIT = { default: 25, max: 100 };
/** Last page that can be asked for. */
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

const STATUS_NAMES = { 0: "declined", 1: "open", 2: "merged" } as const;
const entry = z.object({
  id: z.int(),
  title: z.string().nullable(),
  submitter: z.string(),
  reviewer: z.string().nullable(),
  url: z.string(),
  mr_type: z.int().describe("1 works, 2 authors"),
  status: z.int().describe("0 declined, 1 pending, 2 merged"),
  comments: z.object({
    comments: z.array(z.object({ timestamp: z.string(), username: z.string(), message: z.string() })),
  }),
  created: z.string(),
  updated: z.string(),
});

/** `GET /merges[.json]`: what librarians want merged, the latest change first. */
export const mergeQueue = operation({
  id: "mergeQueue",
  summary: "The queue of merge requests",
  tag: "editing",
  query,
  responses: {
    200: {
      description: "A page of requests; `size` is the number of all",
      schema: z.object({ size: z.int(), entries: z.array(entry) }),
    },
  },
  async handle({ query: part }, context) {
    const { page: number, limit, ...filter } = part;
    const offset = (number - 1) * limit;
    const found = await listRequests(catalogReader(context), { ...filter, limit, offset });
    const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
    if (isPage) return queuePage(found, part, context);
    const answer = { size: found.total, entries: found.requests };
    return json(answer, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

async function queuePage(
  { requests, total }: Awaited<ReturnType<typeof listRequests>>,
  part: Query,
  context: RequestContext,
): Promise<Reply> {
  const mayAct = hasRole(await context.actor(), "librarian");
  const modes = (["open", "closed", "all"] as const).map((mode) =>
    link(`/merges?mode=${mode}`, mode, mode === part.mode),
  );
  const hasMore = part.page * part.limit < total;
  const body = markup`<nav class="pages" aria-label="Which requests">${modes}</nav>
${requests.length === 0 ? markup`<p>There are none.</p>` : requestTable(requests, mayAct)}
${pageLinks(
  part.page > 1 ? pageAddress(part, part.page - 1) : undefined,
  hasMore ? pageAddress(part, part.page + 1) : undefined,
)}`;
  return page({ title: "Merge requests", body });
}

function pageAddress({ mode, submitter, reviewer, order, limit }: Query, number: number): string {
  const parameters = new URLSearchParams({ mode, order, limit: String(limit), page: String(number) });
  if (submitter !== undefined) parameters.set("submitter", submitter);
  if (reviewer !== undefined) parameters.set("reviewer", reviewer);
  return `/merges?${parameters}`;
}

function requestTable(requests: readonly MergeRequest[], mayAct: boolean): Markup {
  return table({
    caption: "Merge requests",
    columns: [
      "Number",
      "What",
      "Status",
      "By",
      "Reviewer",
      "Updated",
      "Comments",
      ...(mayAct ? ["Action"] : []),
    ],
    rows: requests.map((request) => [
      request.id,
      // Works are merged by programs, so there is no page to lead to.
      request.mr_type === 2
        ? link(request.url, request.title ?? request.url)
        : (request.title ?? request.url),
      STATUS_NAMES[request.status],
      request.submitter,
      request.reviewer ?? "",
      moment(request.updated),
      request.comments.comments.map(({ username, message }) => markup`<p>${username}: ${message}</p>`),
      ...(mayAct ? [actionForm(request)] : []),
    ]),
  });
}

const OPEN_ACTIONS = ["comment", "claim", "unassign", "approve", "decline"];

function actionForm({ id, status }: MergeRequest): Markup {
  const actions = status === 1 ? OPEN_ACTIONS : ["comment"];
  return markup`<form method="post" action="/merges">
<input type="hidden" name="rtype" value="update-request"><input type="hidden" name="mrid" value="${id}">
<label for="action-${id}">Action on ${id}</label>
<select id="action-${id}" name="action">${actions.map((name) => markup`<option>${name}</option>`)}</select>
<label for="comment-${id}">Comment</label><input id="comment-${id}" name="comment">
<button type="submit">Send</button></form>`;
}

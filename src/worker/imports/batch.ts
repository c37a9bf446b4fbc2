import * as z from "zod";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { hasRole } from "../../catalog/roles.ts";
import { operation } from "../http/operation.ts";

import type { Reply } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { type BatchView, batchAt, batchQuery, batchView, pageOrValue } from "./batch-view.ts";
import { batchViewSchema } from "./schemas.ts";
import { statusText } from "../../import/statuses.ts";
import { itemsTable, stateText } from "./tables.ts";
import { moment } from "../ui/words.ts";

const SORTS = [
  ["added_time asc", "Oldest first"],
  ["added_time desc", "Newest first"],
  ["import_time desc", "Imported last"],
  ["status asc", "By status"],
] as const;

function batchPage(view: BatchView, { mayApprove }: { readonly mayApprove: boolean }): Reply {
  const { batch, total, items } = view;
  const body = markup`${factList([
    ["Name", batch.name],
    ["Submitted by", batch.submitter ?? ""],
    ["Submitted", moment(batch.submit_time)],
    [
      "File",
      batch.format === null
        ? ""
        : `${stateText(batch)}; ${batch.records} ${IMPORT_FORMATS[batch.format].unit} read, ${batch.skipped} already there`,
    ],
    ["Items", countList(view)],
  ])}
${mayApprove && (view.counts.needs_review ?? 0) > 0 && approval(view)}
<nav aria-label="Order"><p>${SORTS.filter(
    ([sort]) => view.status === null || sort.startsWith("added_time"),
  ).map(
    ([sort, text]) => markup`${link(address(view, { sort, page: 1 }), text, sort === view.sort)} `,
  )}</p></nav>
${itemsTable(view.status === null ? "Items" : `Items: ${statusText(view.status)}`, items, true)}
${pageLinks(
  view.page > 1 ? address(view, { page: view.page - 1 }) : undefined,
  view.page * view.limit < total ? address(view, { page: view.page + 1 }) : undefined,
  { newer: "Before", older: "Next" },
)}`;
  return page({ title: `Batch ${batch.id}`, body });
}

function countList(view: BatchView): Markup {
  const counts = Object.entries(view.counts);
  if (counts.length === 0) return markup`none`;
  const entry = (status: string | null, text: string): Markup =>
    markup`<li>${link(address(view, { status, page: 1 }), text, status === view.status)}</li>`;
  return markup`<ul>${counts.map(([status, items]) => entry(status, `${items} ${statusText(status)}`))}${
    view.status !== null && entry(null, "All")
  }</ul>`;
}

function approval({ batch, counts }: BatchView): Markup {
  return markup`<form method="post" action="/import/batch/approve/${batch.id}">
<p><button type="submit">Approve ${counts.needs_review ?? 0} items</button></p></form>`;
}

function address(
  { batch, limit, sort, status, page: current }: BatchView,
  other: { sort?: string; status?: string | null; page?: number },
): string {
  const query = new URLSearchParams({ page: String(other.page ?? current), limit: String(limit) });
  query.set("sort", other.sort ?? sort);
  const wanted = other.status === undefined ? status : other.status;
  if (wanted !== null) query.set("status", wanted);
  return `/import/batch/${batch.id}?${query}`;
}

/** `GET /import/batch/<id>[.json]`: a batch and its items. */
export const showBatch = operation({
  id: "importBatch",
  summary: "A batch of imports and its items",
  tag: "import",
  path: { id: z.string().describe("Number of the batch") },
  query: batchQuery,
  responses: {
    200: {
      description: "A page for people; with `.json`, or for programs that ask for it, JSON",
      schema: batchViewSchema,
    },
    404: { description: "No such batch" },
  },
  async handle({ path: { id }, query }, context) {
    const batch = await batchAt(context, id);
    const view = await batchView(context.stores, batch, query);
    return pageOrValue(context, view, async () =>
      batchPage(view, { mayApprove: hasRole(await context.actor(), "admin") }),
    );
  },
});

import * as z from "zod";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { hasRole } from "../../catalog/roles.ts";
import { operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { definitions, link, moment, pageLinks } from "../ui/parts.ts";
import { type BatchView, BATCH_PAGE_LIMIT, batchAt, batchView, pageOrValue } from "./batch-view.ts";
import { batchSchema, countsSchema, itemSchema, statusSchema } from "./schemas.ts";
import { statusText } from "../../import/statuses.ts";
import { itemsTable, stateText } from "./tables.ts";

const SORTS = [
  ["added_time asc", "Oldest first"],
  ["added_time desc", "Newest first"],
  ["import_time desc", "Imported last"],
  ["status asc", "By status"],
] as const;

/** The page of a batch. */
function batchPage(view: BatchView, { mayApprove }: { readonly mayApprove: boolean }): Reply {
  const { batch, total, items } = view;
  const body = markup`${definitions([
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

/** Pages of a batch. */
export const BATCH_PAGES_MAX = 100_000;

const { usual, max } = BATCH_PAGE_LIMIT;

/** `GET /import/batch/<id>[.json]`: a batch and its items. */
export const showBatch = operation({
  id: "importBatch",
  summary: "A batch of imports and its items",
  tag: "import",
  path: { id: z.string().describe("Number of the batch") },
  query: {
    page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }),
    limit: lenientInteger(usual, { min: 1, max }),
    sort: z
      .string()
      .default("added_time asc")
      .describe("`added_time`, `import_time` or `status`, and `asc` or `desc`"),
    status: z.string().default("").describe("Only items with this status"),
    after: integer(z.int().gte(0)).optional().describe("Only items beyond this number, and in order of it"),
  },
  responses: {
    200: {
      description: "A page for people; with `.json`, or for programs that ask for it, JSON",
      schema: z.object({
        batch: batchSchema,
        counts: countsSchema,
        total: z.int(),
        page: z.int(),
        limit: z.int(),
        sort: z.string(),
        status: statusSchema.nullable(),
        items: z.array(itemSchema),
      }),
    },
    404: { description: "No such batch" },
  },
  async handle({ path: { id }, query: { after, ...asked } }, context) {
    const batch = await batchAt(context, id);
    const view = await batchView(context.stores, batch, { ...asked, after });
    return pageOrValue(context, view, async () =>
      batchPage(view, { mayApprove: hasRole(await context.actor(), "admin") }),
    );
  },
});

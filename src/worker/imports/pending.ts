import * as z from "zod";
import { pendingBatches } from "../../db/imports/batches.ts";
import { operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { page as htmlPage } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { BATCH_PAGES_MAX, pageOrValue } from "./batch-view.ts";
import { STATUS_WORDS, batchLink, beforeAndNext } from "./tables.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

function pendingPage({ batches, page, next }: z.output<typeof view>): Reply {
  const body = markup`${batches.length === 0 ? markup`<p>${say("imports.pending_none")}</p>` : batchesOf(batches)}
${beforeAndNext("/import/batch/pending", page, next)}`;
  return htmlPage({ title: say("imports.pending_batches"), body });
}

function batchesOf(batches: z.output<typeof view>["batches"]): Markup {
  return table({
    caption: say("imports.pending_batches"),
    columns: [
      say("imports.batch"),
      say("imports.added"),
      say("imports.status"),
      say("desk.by"),
      say("imports.comments"),
    ],
    rows: batches.map((batch) => [
      batchLink(batch.batch_id),
      moment(batch.added_time),
      say(STATUS_WORDS[batch.status]),
      batch.submitter,
      batch.comments,
    ]),
  });
}

const pending = z.object({
  batch_id: z.int(),
  added_time: z.string(),
  status: z.literal("needs_review"),
  submitter: z.string().nullable(),
  comments: z.string().nullable(),
});
const view = z.object({ batches: z.array(pending), page: z.int(), next: z.int().nullable() });

/** Number of batches per page. */
const PENDING_BATCHES_LIMIT = 50;

/** `GET /import/batch/pending[.json]`: lists the batches waiting for approval. */
export const pendingImportBatches = operation({
  id: "pendingBatches",
  summary: "Batches that wait for approval",
  tag: "import",
  query: { page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }) },
  responses: {
    200: {
      description: "The oldest first",
      schema: view,
    },
  },
  async handle({ query: { page } }, context) {
    const limit = PENDING_BATCHES_LIMIT;
    const batches = await pendingBatches(context.stores.catalog, { limit, offset: (page - 1) * limit });
    const next = batches.length < limit ? null : page + 1;
    return pageOrValue(context, { batches, page, next }, pendingPage);
  },
});

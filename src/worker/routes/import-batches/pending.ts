import * as z from "zod";
import { pendingView } from "../../imports/batch-view.ts";
import { wantsPage } from "../../imports/wants-page.ts";
import { operation } from "../../http/operation.ts";
import { pendingPage } from "../../pages/imports/pending-page.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { lenientInteger } from "../../http/parameters.ts";
import { BATCH_PAGES_MAX } from "./show.ts";

const pending = z.object({
  batch_id: z.int(),
  added_time: z.string(),
  status: z.literal("needs_review"),
  submitter: z.string().nullable(),
  comments: z.string().nullable(),
});

/** `GET /import/batch/pending[.json]`: batches that wait for approval (import.md 7). */
export const pendingImportBatches = operation({
  id: "pendingBatches",
  summary: "Batches that wait for approval",
  tag: "import",
  query: { page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }) },
  responses: {
    200: {
      description: "The oldest first",
      schema: z.object({ batches: z.array(pending), page: z.int(), next: z.int().nullable() }),
    },
  },
  async handle({ query: { page } }, context) {
    const view = await pendingView(context.stores, page);
    return wantsPage(context)
      ? pendingPage(view)
      : json(view, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

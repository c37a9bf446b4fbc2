import * as z from "zod";
import { batchAt } from "../../imports/batch-id.ts";
import { BATCH_PAGE_LIMIT, batchView } from "../../imports/batch-view.ts";
import { wantsPage } from "../../imports/wants-page.ts";
import { operation } from "../../http/operation.ts";
import { batchPage } from "../../pages/imports/batch-page.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { hasRole } from "../../http/access.ts";
import { integer, lenientInteger } from "../../http/parameters.ts";
import { batchSchema, countsSchema, itemSchema, statusSchema } from "../imports-admin/schemas.ts";

/** Pages of a batch. */
export const BATCH_PAGES_MAX = 100_000;

const { usual, max } = BATCH_PAGE_LIMIT;

/** `GET /import/batch/<id>[.json]`: a batch and its items (import.md 7). */
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
    if (!wantsPage(context)) return json(view, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
    return batchPage(view, { mayApprove: hasRole(await context.actor(), "admin") });
  },
});

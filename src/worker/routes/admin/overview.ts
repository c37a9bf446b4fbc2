import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { readOverview } from "../../admin/overview.ts";
import { operation } from "../../operation.ts";
import { overviewPage } from "../../pages/admin/overview-page.ts";
import { readOnlySchema } from "./schemas.ts";

/** `GET /admin[.json]`: the service at a glance, and the way to everything else (Q160). */
export const adminOverview = operation({
  id: "adminOverview",
  summary: "State of accounts, queues and index",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: z.object({
        accounts: z.object({ pending: z.int(), active: z.int(), blocked: z.int() }),
        changes: z.int(),
        projections: z.record(z.string(), z.object({ change: z.int(), behind: z.int() })),
        index: z.object({ phase: z.string(), done: z.int(), total: z.int() }).nullable(),
        index_jobs: z.int().describe("Jobs of the search index that may begin"),
        merges: z.object({ jobs: z.int(), requests: z.int() }),
        read_only: readOnlySchema,
      }),
    },
  },
  handle: async (_input, context) => shown(context, await readOverview(context), overviewPage),
});

import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { countOpenMerges } from "../../db/editing/merge-requests.ts";
import { countAccounts } from "../../db/accounts/read-accounts.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { readOnlyMode, readOnlySchema } from "../http/read-only.ts";
import { resource } from "../http/views.ts";
import { indexNotesOf } from "../search/engine.ts";
import { progressSchema, serviceProgress } from "../platform/service-progress.ts";
import { overviewPage } from "./overview-page.ts";

const overviewSchema = z.object({
  accounts: z.object({ pending: z.int(), active: z.int(), blocked: z.int() }),
  ...progressSchema.shape,
  index_jobs: z.int().describe("Number of index jobs that are ready to run"),
  merges: z.object({ jobs: z.int(), requests: z.int() }),
  read_only: readOnlySchema,
});
/** Overview of the service, with links to all other pages (Q160). */
export const adminOverview = resource({
  id: "adminOverview",
  summary: "Get the state of accounts, queues and index",
  tag: "administration",
  responses: {
    200: { description: "State of the service, as JSON or HTML", schema: overviewSchema },
  },
  async read(_input, context) {
    const { stores, settings, now } = context;
    const [service, accounts, index_jobs, merges, read_only] = await Promise.all([
      serviceProgress(stores, settings),
      countAccounts(stores.patrons),
      countDueJobs(indexNotesOf(stores, settings), formatDatetime(now)),
      countOpenMerges(stores.catalog),
      readOnlyMode(context),
    ]);
    return { accounts, ...service, index_jobs, merges, read_only };
  },
  page: (overview, _input, { now }) => overviewPage(overview, formatDatetime(now)),
});

/** All other paths below `/admin`: they must not be read as keys of records. */
export const noAdminPage = operation({
  id: "noAdminPage",
  summary: "Reject unknown paths below /admin",
  tag: "administration",
  path: { rest: z.string() },
  inReadOnly: true,
  responses: { 404: { description: "Unknown path" } },
  handle() {
    throw notFound();
  },
});

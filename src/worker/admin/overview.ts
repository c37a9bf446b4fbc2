import { datetimeText } from "../../catalog/datetime.ts";
import { countOpenMerges } from "../../db/merges/count-open.ts";
import { countAccounts } from "../../db/patrons/count-accounts.ts";
import { countDueJobs } from "../../db/search/jobs.ts";
import type { RequestContext } from "../context.ts";
import { type ServiceProgress, serviceProgress } from "../service-progress.ts";
import { type ReadOnlyMode, readOnlyMode } from "./read-only.ts";

/** The service at a glance. */
export interface Overview extends ServiceProgress {
  readonly accounts: { readonly pending: number; readonly active: number; readonly blocked: number };
  /** Jobs of the search index that may begin. */
  readonly index_jobs: number;
  /** Merges under way, and requests that wait for a librarian. */
  readonly merges: { readonly jobs: number; readonly requests: number };
  readonly read_only: ReadOnlyMode;
}

/** Reads the state of everything that administrators look after. */
export async function readOverview(context: RequestContext): Promise<Overview> {
  const { stores, now } = context;
  const [progress, accounts, jobs, merges, readOnly] = await Promise.all([
    serviceProgress(stores),
    countAccounts(stores.patrons),
    countDueJobs(stores.search, datetimeText(now)),
    countOpenMerges(stores.catalog),
    readOnlyMode(context),
  ]);
  return { accounts, ...progress, index_jobs: jobs, merges, read_only: readOnly };
}

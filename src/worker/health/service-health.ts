import { readCountsEnd } from "../../db/patrons/work-counts.ts";
import { readAllProgress } from "../../db/projections/cursor.ts";
import { readIndexState } from "../../db/search/generation.ts";
import type { IsolateCache } from "../answers/isolate-cache.ts";
import type { RequestContext, Stores } from "../context.ts";
import { type ServiceProgress, progressOf } from "../service-progress.ts";
import { type Check, type CheckResult, runChecks } from "./check.ts";
import { storeChecks } from "./store-checks.ts";

/** How long an isolate keeps what the checks said, in milliseconds: nobody makes load by asking how the service is. */
export const CHECKS_KEPT_MS = 10_000;

/** How the service is, as everybody may see it. */
export interface ServiceHealth {
  /** How far what follows the log is; null while a database does not answer. */
  readonly progress: ServiceProgress | null;
  readonly results: readonly CheckResult[];
}

interface Kept {
  readonly at: number;
  readonly results: readonly CheckResult[];
}

/** What the checks said in an isolate; tests have several in one runtime. */
const kept = new WeakMap<IsolateCache, Kept>();

/** Looks how the service is: one statement of each database, and what the other stores said in the last seconds. */
export async function serviceHealth(context: RequestContext): Promise<ServiceHealth> {
  const [databases, others] = await Promise.all([checkDatabases(context), keptResults(context)]);
  return { progress: databases.progress, results: [...databases.results, ...others] };
}

/** The databases are asked for what `/status` has to say of them anyway. */
export async function checkDatabases({
  stores,
  sources,
}: Pick<RequestContext, "stores" | "sources">): Promise<ServiceHealth> {
  const read = progressReads(stores);
  const checks: Check[] = Object.entries(read.statements).map(([name, run]) => ({
    name,
    isRequired: true,
    run: async () => void (await run()),
  }));
  const results = await runChecks(checks, sources);
  return { progress: read.progress(), results };
}

/** One statement a database, and what they say together once all three have answered. */
function progressReads({ catalog, search, patrons }: Stores) {
  let log: Awaited<ReturnType<typeof readAllProgress>> | undefined;
  let index: Awaited<ReturnType<typeof readIndexState>> | undefined;
  let countsEnd: number | undefined;
  return {
    statements: {
      catalog: async () => (log = await readAllProgress(catalog)),
      search: async () => (index = await readIndexState(search)),
      patrons: async () => (countsEnd = await readCountsEnd(patrons)),
    },
    progress(): ServiceProgress | null {
      if (log === undefined || index === undefined || countsEnd === undefined) return null;
      return progressOf({ log, index, countsEnd });
    },
  };
}

async function keptResults({ cache, stores, sources }: RequestContext): Promise<readonly CheckResult[]> {
  const now = sources.now();
  const known = kept.get(cache);
  if (known !== undefined && now - known.at < CHECKS_KEPT_MS) return known.results;
  const results = await runChecks(storeChecks(stores), sources);
  kept.set(cache, { at: now, results });
  return results;
}

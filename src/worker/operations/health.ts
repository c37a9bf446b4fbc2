import type { Text } from "../../catalog/texts.ts";
import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/log.ts";
import { enginesOf, indexNotesOf } from "../search/engine.ts";
import { readIndexState } from "../../db/indexing/index-state.ts";
import { IsolateMemo } from "../http/isolate-cache.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import {
  type IndexOfEngine,
  type Log,
  type ServiceProgress,
  progressOf,
  progressSchema,
  stalledProblems,
} from "../platform/service-progress.ts";
import {
  type CheckResult,
  type Numbers,
  type Verdict,
  dependencySchema,
  requiredCheck,
  runChecks,
  storeChecks,
  verdictSchema,
} from "./checks.ts";
import { formatDatetime, parseDatetime } from "../../catalog/datetime.ts";
import { readCatalogWaiting, readPatronsWaiting, readDatabaseSize } from "../../db/service/totals.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { writePoint } from "../http/metrics.ts";
import type { Database } from "../../db/statement.ts";
import type { Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";

/** TTL of check results in an isolate, in milliseconds, so that status requests cause no load. */
export const CHECKS_KEPT_MS = 10_000;

interface ServiceHealth {
  /** Time of the newest change (naive UTC); null without one, and while a database does not answer. */
  newestChange: string | null;
  /** Progress of the projections; null while a database does not answer. */
  progress: ServiceProgress | null;
  results: readonly CheckResult[];
  /** Projections and rebuilds without progress for `STALLED_MS`, as sentences. */
  stalled: readonly Text[];
}

const storeResults = new IsolateMemo(
  ({ stores, settings, sources }: RequestContext) => runChecks(storeChecks(stores, settings), sources),
  CHECKS_KEPT_MS,
);

/** Checks the service: one statement per database, and recent results for the other stores. */
export async function serviceHealth(context: RequestContext): Promise<ServiceHealth> {
  const [databases, others] = await Promise.all([checkDatabases(context), storeResults.get(context)]);
  return { ...databases, results: [...databases.results, ...others] };
}

/** Checks the databases by reading their state and their size: two parallel statements each. */
export async function checkDatabases({ stores, settings, sources }: Jobs): Promise<ServiceHealth> {
  const { catalog, patrons } = stores;
  let log: Log | undefined;
  let indexes: readonly IndexOfEngine[] = [];
  let countsEnd: number | undefined;
  const reads = {
    catalog: async () => (log = await readAllProgress(catalog)),
    search: async () => {
      const states = enginesOf(settings).map(async (engine) => {
        return [engine, await readIndexState({ database: stores.search, engine })] as const;
      });
      indexes = await Promise.all(states);
    },
    patrons: async () => (countsEnd = await readCountsEnd(patrons)),
  };
  const databases = databasesOf(stores, settings);
  const checks = (["catalog", "search", "patrons"] as const).map((name) =>
    requiredCheck(name, async () => (await Promise.all([readSize(databases[name]), reads[name]()]))[0]),
  );
  const results = await runChecks(checks, sources);
  const newestChange = log?.endTime ?? null;
  const [, index] = indexes[0] ?? [];
  if (log === undefined || index === undefined || countsEnd === undefined) {
    return { newestChange, progress: null, results, stalled: [] };
  }
  const progress = progressOf({ log, index, countsEnd }, settings);
  const stalled = stalledProblems(progress.projections, log, { indexes, now: sources.now() });
  return { newestChange, progress, results, stalled };
}

const dependenciesSchema = z.record(z.string(), dependencySchema);

export const statusSchema = z.object({
  status: verdictSchema,
  software_version: z.string(),
  start_time: z.string(),
  features: z.array(z.string()),
  problems: z
    .array(z.string())
    .describe(
      "Problems to fix: missing settings, databases that are nearly full, a wrong clock, stalled indexing",
    ),
  changes: z.int().nullable().describe("Number of the newest change; null while a database is unavailable"),
  projections: progressSchema.shape.projections,
  index: progressSchema.shape.index.describe("Progress of a rebuild of the search index"),
  dependencies: dependenciesSchema,
});

export type ShownStatus = z.infer<typeof statusSchema>;

export function dependenciesOf(results: readonly CheckResult[]): z.infer<typeof dependenciesSchema> {
  return Object.fromEntries(
    results.map(({ name, ok, ms, problem, numbers }) => [name, { ok, ms, problem, numbers }]),
  );
}

/** Returns 503 for a failing service, which tells monitors; operations that still work are unaffected. */
export function statusCode(verdict: Verdict): 200 | 503 {
  return verdict === "failing" ? 503 : 200;
}

export const deepStatusSchema = z.object({
  status: verdictSchema,
  problems: z
    .array(z.string())
    .readonly()
    .describe("Projections and rebuilds without progress for ten minutes"),
  dependencies: dependenciesSchema,
  levels: z
    .record(z.string(), z.number())
    .nullable()
    .describe("Waiting rows, lag of the projections in changes, and sizes of the databases in bytes"),
});
export type DeepStatus = z.infer<typeof deepStatusSchema>;

/** `GET /health`: liveness of the worker alone; `/status` checks the stores. */
export const health = operation({
  id: "health",
  summary: "Check liveness",
  tag: "service",
  responses: { 200: { description: "Service is alive", schema: z.record(z.string(), z.string()) } },
  handle: () => json({ status: "ok" }, { cacheControl: NO_STORE }),
});

export async function readLevels({ stores, settings, sources }: Jobs): Promise<Numbers> {
  const { catalog, patrons } = stores;
  const now = sources.now();
  const [log, countsEnd, index, waiting, ofPatrons, jobs, sizes] = await Promise.all([
    readAllProgress(catalog),
    readCountsEnd(patrons),
    readIndexState(indexNotesOf(stores, settings)),
    readCatalogWaiting(catalog, formatDatetime(now - HOUR_MS)),
    readPatronsWaiting(patrons),
    countDueJobs(indexNotesOf(stores, settings), formatDatetime(now)),
    Promise.all(
      Object.entries(databasesOf(stores, settings)).map(async ([name, database]) =>
        Object.entries(await readSize(database)).map(([unit, size]) => [`${name}_${unit}`, size] as const),
      ),
    ),
  ]);
  const { newest_dump: newestDump, oldest_import: oldestImport, ...ofCatalog } = waiting;
  const { projections } = progressOf({ log, countsEnd, index }, settings);
  const behind = Object.entries(projections).map(([name, { behind: lag }]) => [`behind_${name}`, lag]);
  const secondsSince = (time: string | null | undefined) =>
    typeof time === "string" ? Math.max(0, now - parseDatetime(time)) / 1000 : 0;
  const late = Object.entries(projections).map(([name, { behind: lag }]) =>
    lag > 0 ? secondsSince(log.since.get(name)) : 0,
  );
  const dump = newestDump === null ? {} : { dump_days: (now - Date.parse(newestDump)) / DAY_MS };
  return {
    ...ofCatalog,
    ...dump,
    ...ofPatrons,
    index_jobs: jobs,
    oldest_import_seconds: secondsSince(oldestImport),
    oldest_change_seconds: Math.max(0, ...late),
    ...Object.fromEntries(behind),
    ...Object.fromEntries(sizes.flat()),
  };
}

/** Scheduled task, every five minutes: writes the levels as data points. */
export async function recordLevels(jobs: Jobs): Promise<void> {
  const { metrics } = jobs.stores;
  if (metrics === undefined) return;
  for (const [name, value] of Object.entries(await readLevels(jobs))) {
    writePoint(metrics, "level", [[name], [value]]);
  }
}

/** Limit of a D1 database, in bytes; beyond it every write fails. */
const D1_BYTES_MAX = 10_000_000_000;

/** Returns the databases by name; `isD1` is false for a catalog in PostgreSQL. */
function databasesOf(
  { catalog, search, patrons }: Pick<Stores, "catalog" | "search" | "patrons">,
  { CATALOG_HYPERDRIVE: postgres }: Pick<Settings, "CATALOG_HYPERDRIVE">,
) {
  return {
    catalog: { database: catalog, isD1: postgres === "" },
    search: { database: search, isD1: true },
    patrons: { database: patrons, isD1: true },
  };
}

/** Reads the size of a database in bytes, and for D1 in percent of its limit. One statement. */
async function readSize({ database, isD1 }: { database: Database; isD1: boolean }): Promise<Numbers> {
  const bytes = await readDatabaseSize(database);
  return isD1 ? { bytes, percent: (bytes / D1_BYTES_MAX) * 100 } : { bytes };
}

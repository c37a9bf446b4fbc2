import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/cursor.ts";
import { notesOf } from "../search/engine.ts";
import { readIndexState } from "../../db/search/generation.ts";
import { Kept } from "../http/kept-setting.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type ServiceProgress, progressOf, progressSchema } from "../platform/service-progress.ts";
import { databasesOf, readSize } from "./database-sizes.ts";
import {
  type CheckResult,
  type Verdict,
  dependencySchema,
  counting,
  runChecks,
  storeChecks,
  verdictSchema,
} from "./checks.ts";

/** How long an isolate keeps what the checks said, in milliseconds: nobody makes load by asking how the service is. */
export const CHECKS_KEPT_MS = 10_000;

/** How the service is, as everybody may see it. */
interface ServiceHealth {
  /** Time of the newest change (naive UTC); null without one, and while a database does not answer. */
  readonly newestChange: string | null;
  /** How far what follows the log is; null while a database does not answer. */
  readonly progress: ServiceProgress | null;
  readonly results: readonly CheckResult[];
}

const kept = new Kept(
  ({ stores, settings, sources }) => runChecks(storeChecks(stores, settings), sources),
  CHECKS_KEPT_MS,
);

/** Looks how the service is: one statement of each database, and what the other stores said in the last seconds. */
export async function serviceHealth(context: RequestContext): Promise<ServiceHealth> {
  const [databases, others] = await Promise.all([checkDatabases(context), kept.get(context)]);
  return { ...databases, results: [...databases.results, ...others] };
}

/** Checks the databases by reading their state and their size: two parallel statements each. */
export async function checkDatabases({
  stores,
  settings,
  sources,
}: Pick<RequestContext, "stores" | "settings" | "sources">): Promise<ServiceHealth> {
  const { catalog, patrons } = stores;
  let log: Awaited<ReturnType<typeof readAllProgress>> | undefined;
  let index: Awaited<ReturnType<typeof readIndexState>> | undefined;
  let countsEnd: number | undefined;
  const reads = {
    catalog: async () => (log = await readAllProgress(catalog)),
    search: async () => (index = await readIndexState(notesOf(stores, settings))),
    patrons: async () => (countsEnd = await readCountsEnd(patrons)),
  };
  const databases = databasesOf(stores, settings);
  const checks = (["catalog", "search", "patrons"] as const).map((name) =>
    counting(name, async () => (await Promise.all([readSize(databases[name]), reads[name]()]))[0]),
  );
  const results = await runChecks(checks, sources);
  const newestChange = log?.endTime ?? null;
  if (log === undefined || index === undefined || countsEnd === undefined) {
    return { newestChange, progress: null, results };
  }
  return { newestChange, progress: progressOf({ log, index, countsEnd }, settings), results };
}

const dependenciesSchema = z.record(z.string(), dependencySchema);

/** How the service is, as `/status` tells it. */
export const statusSchema = z.object({
  status: verdictSchema,
  software_version: z.string(),
  start_time: z.string(),
  features: z.array(z.string()),
  problems: z
    .array(z.string())
    .describe(
      "What the operator has to fix: missing settings, databases that are nearly full, a wrong clock",
    ),
  changes: z.int().nullable().describe("Id of the newest change; null while a database does not answer"),
  projections: progressSchema.shape.projections,
  index: progressSchema.shape.index.describe("Where a rebuild of the search index stands"),
  dependencies: dependenciesSchema,
});

export type ShownStatus = z.infer<typeof statusSchema>;

/** Results by name, as they are shown. */
export function dependenciesOf(
  results: readonly CheckResult[],
): Readonly<Record<string, z.infer<typeof dependencySchema>>> {
  return Object.fromEntries(
    results.map(({ name, ok, ms, problem, numbers }) => [name, { ok, ms, problem, numbers }]),
  );
}

/** 503 tells who watches the service that it does not work; what works does so all the same. */
export function statusCode(verdict: Verdict): 200 | 503 {
  return verdict === "failing" ? 503 : 200;
}

/** What the operator and administrators are told besides: the deep checks, and how much there is of what grows. */
export const deepStatusSchema = z.object({
  status: verdictSchema,
  dependencies: dependenciesSchema,
  levels: z
    .record(z.string(), z.number())
    .nullable()
    .describe("Rows that wait, changes that projections are behind, bytes of the databases"),
});
export type DeepStatus = z.infer<typeof deepStatusSchema>;

/** `GET /health`: the service answers. Says nothing of the stores behind it; `/status` does. */
export const health = operation({
  id: "health",
  summary: "Liveness",
  tag: "service",
  responses: { 200: { description: "Alive", schema: z.record(z.string(), z.string()) } },
  handle: () => json({ status: "ok" }, { cacheControl: NO_STORE }),
});

import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/cursor.ts";
import { readIndexState } from "../../db/search/generation.ts";
import type { Stores } from "../http/bindings.ts";
import type { IsolateCache } from "../http/isolate-cache.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type ServiceProgress, progressOf } from "../platform/service-progress.ts";
import { type Check, type CheckResult, type Verdict, runChecks, storeChecks } from "./checks.ts";

/** How long an isolate keeps what the checks said, in milliseconds: nobody makes load by asking how the service is. */
export const CHECKS_KEPT_MS = 10_000;

/** How the service is, as everybody may see it. */
interface ServiceHealth {
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

/** What is told of a dependency. */
const dependencySchema = z.object({
  ok: z.boolean(),
  ms: z.number().describe("Milliseconds until it answered"),
  problem: z.enum(["late", "failed"]).nullable().describe("`late`: no answer in time; the log says more"),
  numbers: z.record(z.string(), z.number()).describe("What it says of itself, such as how much waits there"),
});

const verdictSchema = z
  .enum(["ok", "degraded", "failing"])
  .describe("`failing`: something does not answer that the service cannot do without");

const dependenciesSchema = z.record(z.string(), dependencySchema);

/** How the service is, as `/status` tells it. */
export const statusSchema = z.object({
  status: verdictSchema,
  software_version: z.string(),
  start_time: z.string(),
  features: z.array(z.string()),
  changes: z.int().nullable().describe("Id of the newest change; null while a database does not answer"),
  projections: z.record(z.string(), z.object({ change: z.int(), behind: z.int() })),
  index: z
    .object({ phase: z.string(), done: z.int(), total: z.int() })
    .nullable()
    .describe("Where a rebuild of the search index stands"),
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

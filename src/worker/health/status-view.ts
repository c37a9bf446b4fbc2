import * as z from "zod";
import type { CheckResult, Verdict } from "./check.ts";

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

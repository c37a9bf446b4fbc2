import type { Sources } from "../context.ts";
import { logLine, loggable } from "../log.ts";

/** How long a dependency may take to answer, in milliseconds; after that it counts as failed. */
export const CHECK_MS = 3000;

/** Something that the service needs, and how to see whether it answers. */
export interface Check {
  readonly name: string;
  /** True for what the service cannot do without: where it fails, `/status` is a 503. */
  readonly isRequired: boolean;
  /** Rejects when it does not answer as it should; may say numbers, such as how much waits there. */
  run(): Promise<Numbers | undefined>;
}

/** Numbers by name. */
export type Numbers = Readonly<Record<string, number>>;

/** What came of a check. */
export interface CheckResult {
  readonly name: string;
  readonly isRequired: boolean;
  readonly ok: boolean;
  /** Milliseconds until it answered. */
  readonly ms: number;
  /** `late`: it did not answer in time; `failed`: it answered wrongly, or refused. */
  readonly problem: "late" | "failed" | null;
  readonly numbers: Numbers;
}

/** How the service is: `degraded` where something failed that it can do without. */
export type Verdict = "ok" | "degraded" | "failing";

/** Runs checks side by side; none takes longer than `CHECK_MS`. What fails is in the log, with its reason. */
export function runChecks(checks: readonly Check[], sources: Sources): Promise<CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, sources)));
}

/** What the results together say. */
export function verdictOf(results: readonly CheckResult[]): Verdict {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.some(({ isRequired }) => isRequired)) return "failing";
  return failed.length > 0 ? "degraded" : "ok";
}

async function runCheck({ name, isRequired, run }: Check, sources: Sources): Promise<CheckResult> {
  const started = sources.now();
  const of = (problem: CheckResult["problem"], numbers: Numbers = {}): CheckResult => {
    return { name, isRequired, ok: problem === null, ms: sources.now() - started, problem, numbers };
  };
  try {
    const answer = await inTime(run());
    if (answer !== "late") return of(null, answer);
    logLine("error", "dependency", { dependency: name, problem: `no answer within ${CHECK_MS} ms` });
    return of("late");
  } catch (error) {
    logLine("error", "dependency", { dependency: name, error: String(loggable(error)) });
    return of("failed");
  }
}

/** An answer, or `late` when it takes too long; what becomes of it then is nobody's concern. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | "late"> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), CHECK_MS);
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

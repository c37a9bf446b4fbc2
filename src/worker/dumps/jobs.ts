import type { CallBudget } from "../http/call-budget.ts";
import { type BudgetedJobs, type Jobs, doublingDelay, queue, yieldToTasks } from "../http/queue.ts";
import { type DumpMessage, dumpMessage, queueDump } from "./schedule.ts";
import { type DumpContext, DUMP_LIMITS, DumpProblem } from "./dump-step.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import type { DumpRow } from "../../db/dumps/read-dumps.ts";
import { type Held, claimStep, endStep, failDump, noteFailure } from "../../db/dumps/write-dumps.ts";
import { logLine, loggable } from "../http/log.ts";
import { unfinishedUpload } from "./compose.ts";
import { runStage } from "./stages.ts";

/** First retry delay of a failed step in seconds. Doubles with each attempt. */
const DUMP_WAIT_SECONDS = 30;

export const dumpQueue = queue({
  name: "carrel-dumps",
  event: "dump",
  misfit: "not a dump",
  message: dumpMessage,
  retry: doublingDelay(DUMP_WAIT_SECONDS),
  async work(message, jobs) {
    try {
      await runDump(message, jobs);
    } catch (error) {
      // The dump is marked as failed. A retry would not help.
      if (!(error instanceof DumpProblem)) throw error;
    }
  },
});

/** Lease of a consumer in milliseconds. Each step renews it. */
export const DUMP_LEASE_MS = 120_000;
export const DUMP_FAILURES_MAX = 20;

/**
 * Runs the next steps of a dump. Messages may be duplicated, lost or late: one for another step than the next is ignored,
 * and a lease lets only one consumer work on the dump. The result of a step and the new position are stored together, so
 * an interruption anywhere is harmless.
 */
export async function runDump(message: DumpMessage, jobs: BudgetedJobs, limits = DUMP_LIMITS): Promise<void> {
  const { stores, sources, budget } = jobs;
  const claim: Held = { id: message.dump, step: message.step, lease: sources.newSecret() };
  const claimed = await claimStep(stores.catalog, claim, leaseTimes(jobs));
  if (claimed === undefined) return;
  for (let dump = claimed; ;) {
    const result = await runStep({ ...jobs, dump, limits, lease: claim.lease }, budget);
    // The lease is lost: another consumer has the dump.
    if (result === undefined) return;
    ({ dump } = result);
    const { kind, date, state, stage, id, step } = dump;
    if (stage === "done") return logLine("info", "dump", { kind, date, state });
    if (result.isAnew) return logLine("info", "dump", { kind, date, state: "begun anew" });
    if (!result.isKept) return queueDump(stores.dumpJobs, { dump: id, step });
    await yieldToTasks();
  }
}

/**
 * Runs one step and stores its result, or its failure: a permanent error, or too many failures, end the dump. Returns
 * undefined if the lease is lost. The last step releases it.
 */
async function runStep(
  context: DumpContext,
  budget: CallBudget,
): Promise<{ dump: DumpRow; isKept: boolean; isAnew: boolean } | undefined> {
  const { stores, dump, lease } = context;
  const claim = { id: dump.id, step: dump.step, lease };
  try {
    const result = await runStage(context);
    const { members = [], files = [], anewAsOf = null, state, stage, position } = result;
    const isAnew = anewAsOf !== null;
    const text = JSON.stringify(position);
    const problem = state === "failed" ? dump.problem : null;
    const isKept = stage !== "done" && !isAnew && !budget.isOver();
    const { now, until } = leaseTimes(context);
    const reached = { state, stage, position: text, problem };
    const end = { ...reached, members, files, anewAsOf, now, until: isKept ? until : null };
    if (!(await endStep(stores.catalog, claim, end))) return undefined;
    return { dump: { ...dump, ...reached, step: dump.step + 1, failures: 0 }, isKept, isAnew };
  } catch (error) {
    const { now } = leaseTimes(context);
    const problem = String(loggable(error));
    const failures = await noteFailure(stores.catalog, claim, { problem, now });
    const isOver = error instanceof DumpProblem || failures >= DUMP_FAILURES_MAX;
    // Cleaning up after a dump is retried without limit.
    if (dump.state === "open" && isOver) {
      const position = JSON.stringify({ unfinished: unfinishedUpload(dump) });
      await failDump(stores.catalog, claim, { problem, now, position });
      const { kind, date, stage } = dump;
      logLine("error", "dump", { kind, date, state: "failed", stage, problem });
      await queueDump(stores.dumpJobs, { dump: claim.id, step: claim.step + 1 });
    }
    throw error;
  }
}

function leaseTimes({ sources }: Pick<Jobs, "sources">): { now: string; until: string } {
  const now = sources.now();
  return { now: formatDatetime(now), until: formatDatetime(now + DUMP_LEASE_MS) };
}

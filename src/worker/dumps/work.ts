import { datetimeText } from "../../catalog/datetime.ts";
import type { DumpRow } from "../../db/dumps/read-dumps.ts";
import { type Held, claimStep, endStep, failDump, noteFailure } from "../../db/dumps/write-dumps.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, takeTurns } from "../http/queue.ts";
import { type DumpMessage, queueDump } from "./begin.ts";
import { unfinishedUpload } from "./compose.ts";
import { DUMP_LIMITS } from "./limits.ts";
import { runStage } from "./stages.ts";
import { type DumpWork, DumpProblem } from "./step.ts";

/** How long one message works on a dump, in milliseconds, and how many steps; another one goes on. */
export const DUMP_RUN_MS = 1000;
const DUMP_RUN_STEPS = 100;
/** After how long somebody who works on a dump counts as lost, in milliseconds. Each step begins it anew. */
export const DUMP_LEASE_MS = 120_000;
/** How often a step may fail before the dump is given up. */
export const DUMP_FAILURES_MAX = 20;

/**
 * Goes on with a dump. Messages may be doubled, lost or late: one about another step than the next is old, and only one at a
 * time has the dump. What a step made is stored together with how far the dump is, so it can break off anywhere.
 */
export async function workDump(message: DumpMessage, jobs: Jobs, limits = DUMP_LIMITS): Promise<void> {
  const { stores, sources } = jobs;
  const held: Held = { id: message.dump, step: message.step, lease: sources.newSecret() };
  const claimed = await claimStep(stores.catalog, held, times(jobs));
  if (claimed === undefined) return;
  const deadline = sources.now() + DUMP_RUN_MS;
  let dump = claimed;
  let calls = 0;
  for (let steps = 1; ; steps += 1) {
    const mayGoOn = (made = 0) => {
      calls += made;
      return steps < DUMP_RUN_STEPS && calls < limits.runCalls && sources.now() < deadline;
    };
    const done = await stepped({ ...jobs, dump, limits, lease: held.lease }, mayGoOn);
    // Somebody else has it by now.
    if (done === undefined) return;
    ({ dump } = done);
    const { kind, date, state, stage, id, step } = dump;
    if (stage === "done") return logLine("info", "dump", { kind, date, state });
    if (done.isAnew) return logLine("info", "dump", { kind, date, state: "begun anew" });
    if (!done.isKept) return queueDump(stores.dumpJobs, { dump: id, step });
    await takeTurns();
  }
}

/**
 * Does one step and stores what came of it; undefined when somebody else has the dump. With the last step of a message, and
 * of the dump, it is given back.
 */
async function stepped(
  work: DumpWork,
  mayGoOn: (calls?: number) => boolean,
): Promise<{ dump: DumpRow; isKept: boolean; isAnew: boolean } | undefined> {
  const { stores, dump, lease } = work;
  const held = { id: dump.id, step: dump.step, lease };
  try {
    const done = await runStage(work);
    const { members = [], files = [], anewAsOf = null, calls, state, stage, position } = done;
    const isAnew = anewAsOf !== null;
    const text = JSON.stringify(position);
    const problem = state === "failed" ? dump.problem : null;
    const isKept = stage !== "done" && !isAnew && mayGoOn(calls);
    const { now, until } = times(work);
    const reached = { state, stage, position: text, problem };
    const end = { ...reached, members, files, anewAsOf, now, until: isKept ? until : null };
    if (!(await endStep(stores.catalog, held, end))) return undefined;
    return { dump: { ...dump, ...reached, step: dump.step + 1, failures: 0 }, isKept, isAnew };
  } catch (error) {
    await failed(work, { held, error });
    throw error;
  }
}

/** Notes a failure. What is wrong with the dump itself, or goes on failing, ends it. */
async function failed(work: DumpWork, { held, error }: { held: Held; error: unknown }): Promise<void> {
  const { stores, sources, dump } = work;
  const now = datetimeText(sources.now());
  const problem = String(loggable(error));
  const failures = await noteFailure(stores.catalog, held, { problem, now });
  // What is left to be cleaned away is tried again for ever.
  if (dump.state !== "open") return;
  if (!(error instanceof DumpProblem) && failures < DUMP_FAILURES_MAX) return;
  const position = JSON.stringify({ unfinished: unfinishedUpload(dump) });
  await failDump(stores.catalog, held, { problem, now, position });
  const { kind, date, stage } = dump;
  logLine("error", "dump", { kind, date, state: "failed", stage, problem });
  await queueDump(stores.dumpJobs, { dump: held.id, step: held.step + 1 });
}

function times({ sources }: Pick<Jobs, "sources">): { now: string; until: string } {
  const now = sources.now();
  return { now: datetimeText(now), until: datetimeText(now + DUMP_LEASE_MS) };
}

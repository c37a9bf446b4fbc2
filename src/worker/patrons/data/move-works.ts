import * as z from "zod";
import { datetimeMilliseconds } from "../../../catalog/datetime.ts";
import { advance, readProgress } from "../../../db/indexing/cursor.ts";
import { nextRange } from "../../../db/indexing/log.ts";
import { readBecome, readRedirects } from "../../../db/patrons/redirects.ts";
import { idleMoves, isNothingHeld, readHolders, readMove } from "../../../db/patrons/read-jobs.ts";
import type { WorkMove } from "../../../db/patrons/rows.ts";
import { endMove, moveAnonymous, noteMove, openMoves } from "../../../db/patrons/write-jobs.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { logLine } from "../../http/log.ts";
import { jobKind, sweepJobs } from "../../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** How long a work's patrons are looked for again after it became another one, in milliseconds. */
export const MOVE_SETTLE_MS = 600_000;
/** Patrons visited side by side. */
const MOVE_PATRONS = 20;
/** After how long a move counts as left alone, in milliseconds, and how many of these one sweep takes up. */
const MOVE_IDLE_MS = 60_000;
const MOVES_SWEPT = 50;

/** Messages about one work that became another one. */
export const moveWorkJob = jobKind("move-work", z.object({ work: z.int().positive() }), ({ work }, jobs) =>
  visitHolders(work, jobs),
);

/**
 * Takes everything that patrons hold of a work to the work that it became, patron by patron. What a patron
 * does with the old number meanwhile is found by another pass: the sweep makes some for ten minutes.
 */
async function visitHolders(work: number, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const move = await readMove(stores.patrons, work);
  if (move === undefined) return;
  const target = await readBecome(stores.catalog, work);
  // Restored since, or deleted: what is on shelves stays there.
  if (target === undefined) return endMove(stores.patrons, move);
  await moveAnonymous(stores.patrons, work, target);
  const deadline = sources.now() + JOB_BUDGET_MS;
  for (let at: WorkMove = move; ;) {
    const holders = await readHolders(stores.patrons, work, { after: at.after, limit: MOVE_PATRONS });
    const last = holders.at(-1);
    if (last === undefined) return endPass(at, jobs);
    // Whoever removes an account takes care of its rows.
    await Promise.all(
      holders.map((patron) => unlessRemoved(visit(patron, { from: work, to: target }, jobs))),
    );
    at = { ...at, after: last };
    await noteMove(stores.patrons, at, sources.now());
    if (sources.now() >= deadline) return moveWorkJob.send(stores, { work });
  }
}

async function endPass(move: WorkMove, { stores, sources }: Jobs): Promise<void> {
  const now = sources.now();
  if (now >= move.created + MOVE_SETTLE_MS) await endMove(stores.patrons, move);
  else await noteMove(stores.patrons, { ...move, after: "" }, now);
}

async function visit(patron: string, move: { readonly from: number; readonly to: number }, { stores }: Jobs) {
  const kept = await patronOf(stores, patron).upkeep.moveWork(move);
  // Q230: who has notes on both works, or two awards, keeps those of the old one where they are.
  if (kept > 0) logLine("info", "move-work", { ...move, kept });
}

/** The sweep: goes on with moves whose messages were lost, and makes another pass of those that are young. */
export async function continueMoves(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const found = await idleMoves(stores.patrons, sources.now() - MOVE_IDLE_MS, MOVES_SWEPT);
  await sweepJobs({ kind: moveWorkJob.kind, found, sources }, async (work) => {
    const move = await readMove(stores.patrons, work);
    if (move === undefined) return;
    await noteMove(stores.patrons, move, sources.now());
    await visitHolders(work, jobs);
  });
}

const PROJECTION = "patron-works";
/** Revisions of the log that are looked at together for redirects. */
const RANGE_RECORDS = 5000;

/**
 * The projection `patron-works`: finds works that became redirects, so that what patrons hold of them follows. Idempotent,
 * and complete whatever messages were lost, because the cursor decides.
 */
export async function followRedirects(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const { cursor, end } = await readProgress(stores.catalog, PROJECTION);
  if (cursor >= end) return;
  if (await isNothingHeld(stores.patrons)) return advance(stores.catalog, PROJECTION, end);
  const deadline = sources.now() + JOB_BUDGET_MS;
  for (let at = cursor; at < end && sources.now() < deadline;) {
    const range = await nextRange(stores.catalog, at, RANGE_RECORDS);
    if (range === undefined) return;
    await noteRedirects(jobs, range);
    await advance(stores.catalog, PROJECTION, range.to);
    at = range.to;
  }
}

async function noteRedirects({ stores, sources }: Jobs, range: Parameters<typeof readRedirects>[1]) {
  const redirects = await readRedirects(stores.catalog, range);
  if (redirects.length === 0) return;
  const now = sources.now();
  // What was redirected long ago, as in a dump, has nobody's message on its way.
  const isNew = ({ modified }: { modified: string }): boolean =>
    datetimeMilliseconds(modified) > now - MOVE_SETTLE_MS;
  const opened = await openMoves(stores.patrons, {
    works: redirects.filter((one) => !isNew(one)).map(({ work }) => work),
    always: redirects.filter(isNew).map(({ work }) => work),
    now,
  });
  for (const work of opened) await moveWorkJob.send(stores, { work });
}

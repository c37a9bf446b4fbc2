import * as z from "zod";
import { parseDatetime } from "../../../catalog/datetime.ts";
import { workNumberOfKey } from "../../../catalog/keys.ts";
import { typeKeyOf } from "../../../catalog/record.ts";
import { type LogPart, advance, readNextRange, readProgress } from "../../../db/indexing/log.ts";
import { readRedirects, readTarget } from "../../../db/redirects.ts";
import {
  readIdleMoves,
  hasNoHeldWorks,
  readHolders,
  readMove,
  endMove,
  moveAnonymous,
  noteMove,
  openMoves,
} from "../../../db/patrons/patron-jobs.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { logLine } from "../../http/log.ts";
import { jobKind, sweepJobs } from "../../platform/patron-job.ts";
import { type BudgetedJobs, sendAll, sendOrLog } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Period after a merge in which patrons of the merged work are searched for again, in milliseconds. */
export const MOVE_SETTLE_MS = 600_000;
/** Patrons that a statement reads, each of whom is a call. */
const MOVE_PATRONS = 100;
/** Idle time after which the sweep resumes a move, in milliseconds, and moves that one sweep resumes. */
const MOVE_IDLE_MS = 60_000;
const MOVES_SWEPT = 50;

export const moveWorkJob = jobKind("move-work", z.object({ work: z.int().positive() }), moveWork);

/**
 * Moves patrons' data of a work to its merge target, patron by patron. A later pass finds changes that patrons make to
 * the old work meanwhile: the sweep repeats the job for `MOVE_SETTLE_MS`.
 */
async function moveWork({ work }: { work: number }, jobs: BudgetedJobs): Promise<void> {
  const { stores, settings, sources, budget } = jobs;
  const { patrons } = stores;
  const move = await readMove(patrons, work);
  if (move === undefined) return;
  const key = keyOfWorkId(work, settings.RECORD_PREFIX);
  const to = workNumberOfKey(await readTarget(stores.catalog, key));
  // The work was restored or deleted meanwhile, so it stays on shelves.
  if (to === undefined) return endMove(patrons, move);
  await moveAnonymous(patrons, work, to);
  for (let { after } = move; ;) {
    const holders = await readHolders(patrons, work, { after, limit: MOVE_PATRONS });
    const last = holders.at(-1);
    if (last === undefined) break;
    const moves = holders.map(async (patron) => {
      // The removal of an account deletes its rows.
      const kept = await unlessRemoved(patronOf(stores, patron).upkeep.moveWork({ from: work, to }));
      // Q230: with notes on both works, or two awards of one patron, those of the old work stay.
      if (kept !== undefined && kept > 0) logLine("info", "move-work", { from: work, to, kept });
    });
    await Promise.all(moves);
    after = last;
    await noteMove(patrons, { ...move, after }, sources.now());
    if (budget.isOver()) return moveWorkJob.send(stores, { work });
  }
  const now = sources.now();
  if (now >= move.created + MOVE_SETTLE_MS) await endMove(patrons, move);
  else await noteMove(patrons, { ...move, after: "" }, now);
}

/** Resumes moves whose messages were lost, and repeats recent ones. A step of the sweep. */
export async function continueMoves(jobs: BudgetedJobs): Promise<void> {
  const { stores, sources, budget } = jobs;
  const idle = await readIdleMoves(stores.patrons, sources.now() - MOVE_IDLE_MS, MOVES_SWEPT);
  await sweepJobs({ kind: moveWorkJob.kind, found: idle, budget }, async (work) => {
    const move = await readMove(stores.patrons, work);
    if (move === undefined) return;
    await noteMove(stores.patrons, move, sources.now());
    await moveWork({ work }, jobs);
  });
}

const PROJECTION = "patron-works";
const RANGE_RECORDS = 5000;
/** Changes that are looked through even if no patron holds a work: the first one's data may still be under way. */
const SMALL_RANGE_CHANGES = 1000;

/**
 * Follows the log from the cursor of `patron-works`, and opens moves for works that became redirects. Idempotent; lost
 * messages lose no move, because the cursor advances only after moves are stored.
 */
export async function followRedirects(jobs: BudgetedJobs): Promise<void> {
  const { stores, sources, budget } = jobs;
  const { kind } = moveWorkJob;
  const { cursor, end } = await readProgress(stores.catalog, PROJECTION);
  if (cursor >= end) return;
  const isLoad = end - cursor > SMALL_RANGE_CHANGES;
  if (isLoad && (await hasNoHeldWorks(stores.patrons))) return advance(stores.catalog, PROJECTION, end);
  for (let position = cursor; position < end;) {
    const range = await readNextRange(stores.catalog, position, RANGE_RECORDS);
    if (range === undefined) return;
    const now = sources.now();
    const redirects = (await readRedirects(stores.catalog, range)).flatMap(({ key, modified }) => {
      const work = workNumberOfKey(key);
      // Old redirects, as in a dump, have no messages of patrons under way.
      return work === undefined ? [] : [{ work, isNew: parseDatetime(modified) > now - MOVE_SETTLE_MS }];
    });
    if (redirects.length > 0) {
      const opened = await openMoves(stores.patrons, redirects, now);
      const messages = opened.map((work) => ({ kind, work }));
      await sendOrLog("patron-job", { kind }, () => sendAll(stores.patronJobs, messages));
    }
    await advance(stores.catalog, PROJECTION, range.to);
    position = range.to;
    if (budget.isOver()) return;
  }
}

/**
 * Follows a part of the log that others have read: if no work in it became a redirect, returns its end as the new
 * position, else does the same as `followRedirects`.
 */
export async function followRedirectsIn(
  { cursors, start, end, range, touched, isLast }: LogPart,
  jobs: BudgetedJobs,
): Promise<(readonly [string, number])[]> {
  const cursor = cursors.get(PROJECTION) ?? 0;
  if (cursor >= (range?.to ?? end)) return [];
  const hasRedirects = touched.some(
    ({ key, latest }) => key.startsWith("/works/") && typeKeyOf(latest) === "/type/redirect",
  );
  if (range !== undefined && cursor >= start && isLast && !hasRedirects) return [[PROJECTION, range.to]];
  await followRedirects(jobs);
  return [];
}

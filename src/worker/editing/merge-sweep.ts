import { datetimeText } from "../../catalog/datetime.ts";
import type { SaveRequest, SaveResult } from "../../db/editing/request.ts";
import { type MergeJob, idleJob } from "../../db/editing/merge-jobs.ts";
import { endJob, touchJob } from "../../db/editing/write-merges.ts";
import { type ChangeRequest, deskOf, finish, trySave } from "../history/save.ts";
import { tellOfChange } from "../history/service-save.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import { CarrelError } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import { actorOf } from "../http/session.ts";
import type { Settings } from "../http/settings.ts";
import { type Merging, merge } from "./merge.ts";

/** Saves on behalf of the request's user. */
export function requestSaver(context: RequestContext): Merging["save"] {
  return async (request) => {
    const result = await trySave(context, request);
    if (!result.ok) return result;
    finish(context, result);
    return result;
  };
}

/** Saves on behalf of a user whose request is over. */
export function sweepSaver(stores: Stores, { now }: Sources, { actor, ip }: Sweeping): Merging["save"] {
  const desk = deskOf(stores);
  return async ({
    documents,
    data = {},
    kind,
    comment,
    expected = {},
  }: ChangeRequest): Promise<SaveResult> => {
    const request: SaveRequest = {
      writer: { author: actor.key, bot: actor.bot, ip, authority: "user" },
      kind,
      comment,
      data: JSON.stringify(data),
      documents: JSON.stringify(documents),
      expected,
      now: datetimeText(now()),
    };
    const result = await desk.save(request);
    if (result.ok && result.change !== null) {
      await tellOfChange(stores, result.change);
    }
    return result;
  };
}

/** Who goes on with a merge without a request. */
interface Sweeping {
  readonly actor: Pick<Actor, "key" | "bot">;
  readonly ip: string | null;
}

/** How long a request goes on with a large merge, and how long one run of the sweep does, in milliseconds. */
export const MERGE_BUDGET_MS = 20_000;
/** After how long a job counts as left alone, in milliseconds: longer than any request works on one. */
const MERGE_IDLE_MS = 60_000;

/** What the sweep works with. */
export interface MergeSweep {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly sources: Sources;
}

/**
 * Goes on with the merge that was left alone for longest. Returns true when there is more to do. Its author must still
 * be one who may merge.
 */
export async function continueMerges({ stores, settings, sources }: MergeSweep): Promise<boolean> {
  const now = sources.now();
  const job = await idleJob(stores.catalog, datetimeText(now - MERGE_IDLE_MS));
  if (job === undefined) return false;
  // First of all, so that a job that always breaks off does not keep the others from their turn.
  await touchJob(stores.catalog, job.id, datetimeText(now));
  const actor = await mergerOf(stores, job);
  if (actor === undefined) {
    const problem = "its author may not merge records any more";
    await endJob(stores.catalog, job.id, { problem, now: datetimeText(now) });
    return true;
  }
  const save = sweepSaver(stores, sources, { actor, ip: job.ip });
  const merging = {
    catalog: stores.catalog,
    prefix: settings.RECORD_PREFIX,
    save,
    now: () => sources.now(),
    deadline: now + MERGE_BUDGET_MS,
  };
  try {
    await merge(merging, job);
  } catch (error) {
    // The job has noted what is for good; anything else is tried again.
    if (!(error instanceof CarrelError)) throw error;
    logLine("error", "merge", { job: job.id, problem: error.message });
  }
  return true;
}

/** Who has begun a job, if he may still merge such records. */
async function mergerOf(stores: Stores, { author, kind }: MergeJob): Promise<Actor | undefined> {
  const actor = await actorOf({ stores }, { username: author.slice("/people/".length), key: author });
  const isAllowed = hasRole(actor, kind === "author" ? "librarian" : "super-librarian");
  return actor.status === "active" && isAllowed ? actor : undefined;
}

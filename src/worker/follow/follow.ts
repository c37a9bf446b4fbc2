import { formatDatetime } from "../../catalog/datetime.ts";
import { readPosition, storePosition } from "../../db/service/follow.ts";
import { type Position, positionSchema, deferBatch } from "../../import/follow/position.ts";
import { FOLLOWED_KINDS, isListing } from "../../import/follow/source.ts";
import type { Jobs } from "../http/queue.ts";
import { type CrawlPolicy, UpstreamError, afterFailure } from "./source-client.ts";
import { fetchChanges, nextStep } from "./follow-step.ts";
import { failure } from "../http/failure.ts";

/** Lifetime of the follower's lock in milliseconds: longer than a request and the storing of its records take. */
const LOCK_MS = 60_000;
/** Failed attempts after which the entries of a request are set aside until the next day. */
const STEP_ATTEMPTS_MAX = 3;

interface FollowRequest {
  readonly source?: string | undefined;
  readonly since?: string | undefined;
  readonly only?: Position["kinds"] | undefined;
  readonly history?: boolean | undefined;
  /** Lists, series and subjects, such as `/people/ann/lists/OL1L` or `/subjects/love`: only their records are followed. */
  readonly parts?: readonly string[] | undefined;
}

/** Reads the stored position, as text and parsed. */
export async function readStoredPosition({ stores }: Jobs) {
  const text = await readPosition(stores.catalog);
  return { text, position: text === undefined ? undefined : positionSchema.parse(JSON.parse(text)) };
}

/** Applies a request to the stored position. Throws 400 if it is incomplete or not allowed. */
function nextPosition(
  position: Position | undefined,
  request: FollowRequest,
  { settings, sources }: Jobs,
): Position {
  const { ENVIRONMENT: environment, FOLLOW_URL: configured } = settings;
  const source = request.source === undefined ? position?.source : new URL(request.source).origin;
  if (source === undefined) throw failure("bad_data.follow_source");
  if (environment === "production" && (configured === "" || new URL(configured).origin !== source))
    throw failure("bad_data.follow_url");
  if (request.since !== undefined && Date.parse(request.since) > sources.now())
    throw failure("bad_data.follow_future");
  if (position !== undefined && position.source !== source && request.since === undefined)
    throw failure("bad_data.follow_other", { source: position.source });
  const isSameRun =
    position?.source === source && (request.since === undefined || request.since >= position.since);
  if (!isSameRun && request.since === undefined) throw failure("bad_data.follow_since");
  const { since } = request;
  const initial = { source, since, day: since, kinds: FOLLOWED_KINDS, history: false, part: false };
  const from = isSameRun ? position : positionSchema.parse(initial);
  const listings = (request.parts ?? []).map((path) =>
    path.startsWith("/subjects/") ? path : `${path}/seeds`,
  );
  const unknown = listings.find((path) => !isListing(path));
  if (unknown !== undefined) throw failure("bad_data.follow_part", { key: unknown });
  return {
    ...from,
    kinds: request.only ?? from.kinds,
    history: request.history ?? from.history,
    part: from.part || listings.length > 0,
    todo: [...new Set([...listings.map((path) => `+${path}`), ...from.todo])],
    caught_up: false,
  };
}

/**
 * Follows another service within limits. Stores the position after each request, so an interruption anywhere is
 * harmless. Throws 503 if another follower holds the lock, 400 for an invalid request.
 */
export async function followSource(
  jobs: Jobs,
  request: FollowRequest,
  { policy, limits }: { policy: CrawlPolicy; limits: { requests: number; isOver(): boolean } },
): Promise<Position> {
  const { sources } = jobs;
  const start = sources.now();
  let { text: before, position: previous } = await readStoredPosition(jobs);
  if (previous !== undefined && previous.held > start) {
    const retryAfter = Math.ceil((previous.held - start) / 1000);
    throw failure("unavailable.follow_busy", {}, { retryAfter });
  }
  let position = nextPosition(previous, request, jobs);
  if (position.source !== previous?.source) await probeSource(position, jobs, policy);
  const store = async (next: Position, lockedUntil: number): Promise<void> => {
    position = { ...next, held: lockedUntil };
    const value = JSON.stringify(position);
    const now = formatDatetime(sources.now());
    if (!(await storePosition(jobs.stores.catalog, { before, value, now })))
      throw failure("unavailable.follow_busy");
    before = value;
  };
  await store(position, start + LOCK_MS);
  try {
    for (let requests = 0; requests < limits.requests; requests += 1) {
      if ((requests > 0 && limits.isOver()) || position.after > sources.now()) break;
      let next: Position | undefined;
      try {
        next = await nextStep(position, jobs, policy);
        if (next === undefined) break;
        next = { ...next, failures: 0, after: 0, problem: null };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const isStuck = error.isRequestSpecific && position.failures >= STEP_ATTEMPTS_MAX - 1;
        next = afterFailure(isStuck ? deferBatch(position) : position, error, sources.now());
      }
      await store(next, sources.now() + LOCK_MS);
      if (next.failures > 0) break;
      await scheduler.wait(1000 / policy.rate);
    }
  } finally {
    await store(position, 0);
  }
  return position;
}

/** Requests the changes of a new source service once. Throws 400 if it does not respond. */
async function probeSource(position: Position, { sources }: Jobs, policy: CrawlPolicy): Promise<void> {
  try {
    await fetchChanges(position, policy, sources.now());
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const values = { problem: error.message, seconds: Math.ceil(error.retryAfterMs / 1000) };
    throw failure(values.seconds > 0 ? "bad_data.follow_wait" : "bad_data.follow_down", values);
  }
  await scheduler.wait(1000 / policy.rate);
}

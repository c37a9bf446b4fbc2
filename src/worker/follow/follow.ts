import { datetimeText } from "../../catalog/datetime.ts";
import { readPosition, storePosition } from "../../db/service/follow.ts";
import { type Position, positionSchema, setAside } from "../../import/follow/position.ts";
import { FOLLOWED_KINDS, isListing } from "../../import/follow/source.ts";
import { badData, unavailable } from "../http/errors.ts";
import type { Jobs } from "../http/queue.ts";
import { type Manners, Unanswered, afterFailure } from "./source-client.ts";
import { changesOf, nextStep } from "./follow-step.ts";

/** How long somebody who follows counts as being there, in milliseconds: longer than one request and what it brings take. */
const HELD_MS = 60_000;
/** What the other service fails at so often is left until the next day. */
const TRIES = 3;

/** What is to be followed. What is not said stays as it was. */
interface FollowWish {
  readonly source?: string | undefined;
  readonly since?: string | undefined;
  readonly only?: Position["kinds"] | undefined;
  readonly history?: boolean | undefined;
  /** Lists, series and subjects, such as `/people/ann/lists/OL1L` or `/subjects/love`: nothing but their records is followed. */
  readonly parts?: readonly string[] | undefined;
}

/** The position as it is stored, and the text that it was read of. */
async function stored({ stores }: Jobs) {
  const before = await readPosition(stores.catalog);
  return { before, position: before === undefined ? undefined : positionSchema.parse(JSON.parse(before)) };
}

/** How far another service was followed; undefined when none was. */
export async function positionOf(jobs: Jobs): Promise<Position | undefined> {
  return (await stored(jobs)).position;
}

/** The position that a wish leads to from the stored one. */
function wished(position: Position | undefined, wish: FollowWish, { settings, sources }: Jobs): Position {
  const { ENVIRONMENT: environment, FOLLOW_URL: own } = settings;
  const source = wish.source === undefined ? position?.source : new URL(wish.source).origin;
  if (source === undefined) throw badData("Say what is to be followed.");
  if (environment === "production" && (own === "" || new URL(own).origin !== source))
    throw badData("Here only FOLLOW_URL of the settings is followed.");
  if (wish.since !== undefined && Date.parse(wish.since) > sources.now())
    throw badData("Nothing can be followed since a day that is to come.");
  if (position !== undefined && position.source !== source && wish.since === undefined)
    throw badData(`Another service is followed: ${position.source}. Say since when this one is to be.`);
  const goesOn = position?.source === source && (wish.since === undefined || wish.since >= position.since);
  if (!goesOn && wish.since === undefined)
    throw badData("Say since when it is to be followed: the day of the dump that was loaded.");
  const begun = {
    source,
    since: wish.since,
    day: wish.since,
    kinds: FOLLOWED_KINDS,
    history: false,
    part: false,
  };
  const from = goesOn ? position : positionSchema.parse(begun);
  const listings = (wish.parts ?? []).map((path) => (path.startsWith("/subjects/") ? path : `${path}/seeds`));
  const odd = listings.find((path) => !isListing(path));
  if (odd !== undefined) throw badData(`Not a list, a series or a subject: ${odd}`);
  return {
    ...from,
    kinds: wish.only ?? from.kinds,
    history: wish.history ?? from.history,
    part: from.part || listings.length > 0,
    todo: [...new Set([...listings.map((path) => `+${path}`), ...from.todo])],
    caught_up: false,
  };
}

/** How much is done at once: requests, and milliseconds. */
interface Bounds {
  readonly requests: number;
  readonly ms: number;
}

/**
 * Follows another service for a while. Each request and what it brought are noted before the next one, so it can break off
 * anywhere; only one at a time follows.
 */
export async function follow(
  jobs: Jobs,
  wish: FollowWish,
  { manners, bounds }: { readonly manners: Manners; readonly bounds: Bounds },
): Promise<Position> {
  const { sources } = jobs;
  const start = sources.now();
  let { before, position: last } = await stored(jobs);
  if (last !== undefined && last.held > start) {
    const wait = Math.ceil((last.held - start) / 1000);
    throw unavailable("Somebody is following already. Try again.", { "Retry-After": String(wait) });
  }
  let position = wished(last, wish, jobs);
  if (position.source !== last?.source) await check(position, jobs, manners);
  const keep = async (next: Position, held: number): Promise<void> => {
    position = { ...next, held };
    const value = JSON.stringify(position);
    const now = datetimeText(sources.now());
    if (!(await storePosition(jobs.stores.catalog, { before, value, now })))
      throw unavailable("Somebody else is following. Try again.");
    before = value;
  };
  await keep(position, start + HELD_MS);
  try {
    for (let requests = 0; requests < bounds.requests; requests += 1) {
      const now = sources.now();
      if (now - start > bounds.ms || position.after > now) break;
      const next = await attempt(position, jobs, manners);
      if (next === undefined) break;
      await keep(next, sources.now() + HELD_MS);
      if (next.failures > 0) break;
      await scheduler.wait(1000 / manners.rate);
    }
  } finally {
    await keep(position, 0);
  }
  return position;
}

/** Throws unless a service that was never asked before answers: nothing is known of it then that could be lost. */
async function check(position: Position, { sources }: Jobs, manners: Manners): Promise<void> {
  try {
    await changesOf(position, manners, sources.now());
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const wait = error.patience > 0 ? `, and asks for ${Math.ceil(error.patience / 1000)} s of patience` : "";
    throw badData(`It cannot be followed: ${error.message}${wait}`);
  }
  await scheduler.wait(1000 / manners.rate);
}

async function attempt(position: Position, jobs: Jobs, manners: Manners): Promise<Position | undefined> {
  try {
    const next = await nextStep(position, jobs, manners);
    return next && { ...next, failures: 0, after: 0, problem: null };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const isStuck = error.isAtThis && position.failures >= TRIES - 1;
    return afterFailure(isStuck ? setAside(position) : position, error, jobs.sources.now());
  }
}

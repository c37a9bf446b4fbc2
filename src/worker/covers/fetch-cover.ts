import { datetimeText } from "../../catalog/datetime.ts";
import type { StoredImage } from "../../db/covers/rows.ts";
import { type ClaimedCover, type CoverEnd, claimCover, endClaim } from "../../db/covers/pending.ts";
import { CarrelError } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";
import type { CheckedImage } from "./check-image.ts";
import { detachCover } from "./detach-cover.ts";
import { type FetchedImage, fetchImage } from "./fetch-image.ts";
import { queueCover } from "./queue-cover.ts";
import { UNREADABLE, storeFetched } from "./store-cover.ts";

/** How often an image is asked for. */
export const COVER_ATTEMPTS = 10;
/** How long a cover is somebody's who fetches it, in seconds: longer than that may take. */
export const COVER_CLAIM_SECONDS = 60;

/**
 * Fetches the image of a pending cover and stores it (Q387). What fails for now is tried again, after two seconds at first, and
 * twice as long each time; what fails for good is taken out of the records that show it. A step that is repeated, or done
 * by two at a time, does nothing twice. Throws what is wrong with the service itself. False when the cover is not to be
 * fetched, or not now.
 */
export async function fetchCover(id: number, jobs: Jobs): Promise<boolean> {
  const { stores, sources } = jobs;
  const now = sources.now();
  const until = datetimeText(now + COVER_CLAIM_SECONDS * 1000);
  const cover = await claimCover(stores.catalog, id, { now: datetimeText(now), until });
  if (cover === undefined) return false;
  await fetchClaimed(cover, until, jobs);
  return true;
}

async function fetchClaimed(cover: ClaimedCover, until: string, jobs: Jobs): Promise<void> {
  const { stores, settings } = jobs;
  // Given up before, by somebody who did not come to its end.
  if (cover.attempts > COVER_ATTEMPTS) return fail(cover, cover.problem ?? "the service broke off", jobs);
  const fetched = await fetchImage(cover.sourceUrl, { hosts: settings.COVER_HOSTS, stores });
  const stored = fetched.ok ? await store(cover, fetched.image, jobs) : fetched;
  if (stored.ok) return end(cover, { state: "stored", image: stored.image }, jobs);
  const { problem, isFinal } = stored;
  if (!isFinal && cover.attempts < COVER_ATTEMPTS) return putOff(cover, problem, jobs);
  // No more attempts from now on, even if this one breaks off here.
  await end(cover, { state: "pending", problem, due: until, attempts: COVER_ATTEMPTS }, jobs);
  return fail({ ...cover, attempts: COVER_ATTEMPTS }, problem, jobs);
}

type Stored =
  | { readonly ok: true; readonly image: StoredImage }
  | Extract<FetchedImage, { readonly ok: false }>;

/** Stores a fetched image, or says why not: for now where a large one could not be made smaller (Q490). */
async function store({ id }: ClaimedCover, fetched: CheckedImage, { stores }: Jobs): Promise<Stored> {
  try {
    const image = await storeFetched(stores, id, fetched);
    return image === undefined ? { ok: false, problem: UNREADABLE, isFinal: true } : { ok: true, image };
  } catch (error) {
    if (!(error instanceof CarrelError) || error.status !== 503) throw error;
    return { ok: false, problem: error.message, isFinal: false };
  }
}

async function putOff(cover: ClaimedCover, problem: string, jobs: Jobs): Promise<void> {
  const { id, attempts } = cover;
  const seconds = 2 ** attempts;
  const due = datetimeText(jobs.sources.now() + seconds * 1000);
  await end(cover, { state: "pending", problem, due, attempts }, jobs);
  // A message that came too early would do nothing.
  await queueCover(jobs.stores.coverJobs, id, seconds + 1);
}

async function fail(cover: ClaimedCover, problem: string, jobs: Jobs): Promise<void> {
  try {
    await detachCover(cover, problem, jobs);
  } catch (error) {
    if (!isRefused(error)) throw error;
    logLine("error", "cover", { cover: cover.id, problem: "it is still shown", error: error.message });
  }
  await end(cover, { state: "failed", problem }, jobs);
}

/** A record that is refused as it stands is refused again however often it is sent; who edits it will have to put it right. */
function isRefused(error: unknown): error is CarrelError {
  return error instanceof CarrelError && error.status < 500 && error.status !== 409;
}

function end(cover: ClaimedCover, state: CoverEnd, { stores, sources }: Jobs): Promise<void> {
  return endClaim(stores.catalog, cover, { ...state, now: datetimeText(sources.now()) });
}

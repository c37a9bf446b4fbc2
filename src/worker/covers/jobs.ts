import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { parseDocument } from "../../catalog/document.ts";
import {
  type StoredImage,
  readShowing,
  readDueCovers,
  readUnrenderedCovers,
} from "../../db/covers/read-covers.ts";
import { type ClaimedCover, type CoverEnd, claimCover, endClaim } from "../../db/covers/write-covers.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { saveAsService } from "../editing/edit-desk.ts";
import { Failure } from "../http/failure.ts";
import { logLine } from "../http/log.ts";
import { type Jobs, queue, sendAll, sendOrLog } from "../http/queue.ts";
import { indexAnew } from "../indexing/refresh.ts";
import type { CheckedImage } from "./check-image.ts";
import { type FetchedImage, fetchImage } from "./source-image.ts";
import { UNREADABLE_IMAGE, renderStored, storeFetched } from "./store-cover.ts";

/**
 * Message of the queue `carrel-cover-jobs`: number of a pending cover, `{"cover": 100000001}`. Messages may be lost,
 * duplicated or late.
 */
const coverMessage = z.object({ cover: z.int().positive() });

export function queueCover(jobs: Queue, cover: number, delaySeconds = 0): Promise<void> {
  const message: z.output<typeof coverMessage> = { cover };
  return sendOrLog("cover", { cover }, () => jobs.send(message, { delaySeconds }));
}

const DETACH_ATTEMPTS = 5;

/**
 * Removes the number of a cover without an image from `covers` of its edition, and of the works that the edition
 * belongs or belonged to, as one change of the service's own. Does nothing if no record shows it any more.
 */
async function detachCover(
  { id, olid }: Pick<ClaimedCover, "id" | "olid">,
  problem: string,
  jobs: Jobs,
): Promise<void> {
  if (olid === null) return;
  const database = jobs.stores.catalog.withSession("first-primary");
  for (let attempt = 1; ; attempt += 1) {
    const rows = await readShowing(database, `/books/${olid}`);
    const changes = rows.flatMap((row) => withoutCover(row, id) ?? []);
    if (changes.length === 0) return;
    try {
      return await saveAsService(jobs, {
        kind: "update-book-covers",
        comment: `Cover ${id} could not be fetched: ${problem}`,
        documents: changes.map(({ document }) => document),
        expected: Object.fromEntries(changes.map(({ key, revision }) => [key, revision])),
      });
    } catch (error) {
      const isOutdated = error instanceof Failure && error.status === 409;
      if (!isOutdated || attempt === DETACH_ATTEMPTS) throw error;
    }
  }
}

function withoutCover({ key, revision, document: text }: RecordRow, id: number) {
  const document = parseDocument(text);
  const { covers } = document;
  if (!Array.isArray(covers) || !covers.includes(id)) return undefined;
  return { key, revision, document: { ...document, covers: covers.filter((cover) => cover !== id) } };
}

export const COVER_ATTEMPTS = 10;
/** Seconds for which a worker claims a cover: longer than fetching may take. */
export const COVER_CLAIM_SECONDS = 60;

/**
 * Fetches the image of a pending cover and stores it (Q387). Temporary failures are retried after two seconds at first,
 * and twice as long each time; after a final failure the cover is removed from the records that show it. Repeated and
 * concurrent steps do nothing twice. Throws failures of the service itself. False if the cover is not due.
 */
export async function fetchCover(id: number, jobs: Jobs): Promise<boolean> {
  const { stores, sources } = jobs;
  const now = sources.now();
  const until = formatDatetime(now + COVER_CLAIM_SECONDS * 1000);
  const cover = await claimCover(stores.catalog, id, { now: formatDatetime(now), until });
  if (cover === undefined) return false;
  await fetchClaimed(cover, until, jobs);
  return true;
}

async function fetchClaimed(cover: ClaimedCover, until: string, jobs: Jobs): Promise<void> {
  const { stores, settings } = jobs;
  // An earlier attempt gave up, but was interrupted.
  if (cover.attempts > COVER_ATTEMPTS) return giveUp(cover, cover.problem ?? "the service broke off", jobs);
  const fetched = await fetchImage(cover.sourceUrl, { hosts: settings.COVER_HOSTS, stores });
  const stored = fetched.ok ? await store(cover, fetched.image, jobs) : fetched;
  if (stored.ok) {
    await end(cover, { state: "stored", image: stored.image }, jobs);
    return reindexRecords(cover, jobs);
  }
  const { problem, isFinal } = stored;
  if (!isFinal && cover.attempts < COVER_ATTEMPTS) return postpone(cover, problem, jobs);
  // Prevents further attempts, even if this one is interrupted here.
  await end(cover, { state: "pending", problem, due: until, attempts: COVER_ATTEMPTS }, jobs);
  return giveUp({ ...cover, attempts: COVER_ATTEMPTS }, problem, jobs);
}

/** Indexes the records of a cover again: search results contain its size, which is known only now. */
async function reindexRecords({ olid }: ClaimedCover, jobs: Jobs): Promise<void> {
  const rows = olid === null ? [] : await readShowing(jobs.stores.catalog, `/books/${olid}`);
  const keys = rows.map(({ key }) => key);
  const works = keys.filter((key) => key.startsWith("/works/"));
  await indexAnew(jobs, works.length === 0 ? keys : works);
}

/** Stores a fetched image, or returns the failure: a temporary one if a large image could not be reduced (Q490). */
async function store(
  { id }: ClaimedCover,
  fetched: CheckedImage,
  { stores }: Jobs,
): Promise<{ ok: true; image: StoredImage } | Extract<FetchedImage, { ok: false }>> {
  try {
    const image = await storeFetched(stores, id, fetched);
    return image === undefined
      ? { ok: false, problem: UNREADABLE_IMAGE, isFinal: true }
      : { ok: true, image };
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 503) throw error;
    return { ok: false, problem: error.message, isFinal: false };
  }
}

async function postpone(cover: ClaimedCover, problem: string, jobs: Jobs): Promise<void> {
  const { id, attempts } = cover;
  const seconds = 2 ** attempts;
  const due = formatDatetime(jobs.sources.now() + seconds * 1000);
  await end(cover, { state: "pending", problem, due, attempts }, jobs);
  // A message that came too early would do nothing.
  await queueCover(jobs.stores.coverJobs, id, seconds + 1);
}

async function giveUp(cover: ClaimedCover, problem: string, jobs: Jobs): Promise<void> {
  try {
    await detachCover(cover, problem, jobs);
  } catch (error) {
    // A record that fails validation would fail every time, until an editor fixes it.
    const isRefused = error instanceof Failure && error.status < 500 && error.status !== 409;
    if (!isRefused) throw error;
    logLine("error", "cover", { cover: cover.id, problem: "it is still shown", error: error.message });
  }
  await end(cover, { state: "failed", problem }, jobs);
}

function end(cover: ClaimedCover, state: CoverEnd, { stores, sources }: Jobs): Promise<void> {
  return endClaim(stores.catalog, cover, { ...state, now: formatDatetime(sources.now()) });
}

/** Images fetched concurrently. Each may take twice its maximum size of memory, besides the one being decoded. */
const COVERS_AT_ONCE_MAX = 2;

/**
 * Consumer of cover jobs. Remote failures are rescheduled by the job itself; messages with local failures are
 * redelivered after the claim of the cover has ended.
 */
export const coverQueue = queue({
  name: "carrel-cover-jobs",
  event: "cover",
  misfit: "not a cover",
  message: coverMessage,
  atOnce: COVERS_AT_ONCE_MAX,
  retry: () => COVER_CLAIM_SECONDS + 1,
  logged: ({ cover }) => ({ cover }),
  async work({ cover }, jobs) {
    if (!(await fetchCover(cover, jobs))) await renderStored(cover, jobs);
  },
});

/** Milliseconds after which a cover is enqueued again, and maximum number of covers per sweep. */
export const COVER_IDLE_MS = 60_000;
export const COVERS_SWEPT = 100;

/** Enqueues covers whose messages were lost, and covers that were stored without smaller sizes. Part of the sweep. */
export async function continueCovers({ stores, sources }: Jobs): Promise<void> {
  const before = formatDatetime(sources.now() - COVER_IDLE_MS);
  const due = await readDueCovers(stores.catalog, before, COVERS_SWEPT);
  const unrendered = await readUnrenderedCovers(stores.catalog, COVERS_SWEPT);
  const messages = [...due, ...unrendered].map((cover): z.output<typeof coverMessage> => ({ cover }));
  await sendOrLog("cover", {}, () => sendAll(stores.coverJobs, messages));
}

import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { parseDocument } from "../../catalog/document.ts";
import { readShowing, readDueCovers, readUnrenderedCovers } from "../../db/covers/read-covers.ts";
import { type ClaimedCover, type CoverEnd, claimCover, endClaim } from "../../db/covers/write-covers.ts";
import { saveAsService } from "../editing/edit-desk.ts";
import { Failure } from "../http/failure.ts";
import { logLine } from "../http/log.ts";
import { type Jobs, queue, sendAll, sendOrLog } from "../http/queue.ts";
import { indexAnew } from "../indexing/refresh.ts";
import { fetchImage } from "./source-image.ts";
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
 * belongs or belonged to, as one change of the service's own. Does nothing if no record shows it any more, or if a
 * record is refused.
 */
async function detachCover({ id, olid }: ClaimedCover, problem: string, jobs: Jobs): Promise<void> {
  if (olid === null) return;
  const database = jobs.stores.catalog.withSession("first-primary");
  for (let attempt = 1; ; attempt += 1) {
    const rows = await readShowing(database, `/books/${olid}`);
    const changes = rows.flatMap(({ key, revision, document: text }) => {
      const document = parseDocument(text);
      const { covers } = document;
      if (!Array.isArray(covers) || !covers.includes(id)) return [];
      return [{ key, revision, document: { ...document, covers: covers.filter((cover) => cover !== id) } }];
    });
    if (changes.length === 0) return;
    try {
      return await saveAsService(jobs, {
        kind: "update-book-covers",
        comment: `Cover ${id} could not be fetched: ${problem}`,
        documents: changes.map(({ document }) => document),
        expected: Object.fromEntries(changes.map(({ key, revision }) => [key, revision])),
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      if (error.status !== 409) {
        // A record that fails validation would fail every time, until an editor fixes it.
        return logLine("error", "cover", { cover: id, problem: "it is still shown", error: error.message });
      }
      if (attempt === DETACH_ATTEMPTS) throw error;
    }
  }
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
  const { attempts, olid } = cover;
  const end = (state: CoverEnd, claim = attempts): Promise<void> => {
    const change = { ...state, now: formatDatetime(sources.now()) };
    return endClaim(stores.catalog, { id, attempts: claim }, change);
  };
  // With more attempts, an earlier one gave up, but was interrupted.
  if (attempts > COVER_ATTEMPTS) {
    const problem = cover.problem ?? "the service broke off";
    await detachCover(cover, problem, jobs);
    await end({ state: "failed", problem });
    return true;
  }
  const stored = await fetchAndStore(cover, jobs);
  if (stored.ok) {
    await end({ state: "stored", image: stored.image });
    // Search results contain the size of the cover, which is known only now.
    const rows = olid === null ? [] : await readShowing(stores.catalog, `/books/${olid}`);
    const keys = rows.map(({ key }) => key);
    const works = keys.filter((key) => key.startsWith("/works/"));
    await indexAnew(jobs, works.length === 0 ? keys : works);
    return true;
  }
  const { problem, isFinal } = stored;
  if (!isFinal && attempts < COVER_ATTEMPTS) {
    const seconds = 2 ** attempts;
    const due = formatDatetime(sources.now() + seconds * 1000);
    await end({ state: "pending", problem, due, attempts });
    // A message that came too early would do nothing.
    await queueCover(stores.coverJobs, id, seconds + 1);
    return true;
  }
  // Prevents further attempts, even if this one is interrupted here.
  await end({ state: "pending", problem, due: until, attempts: COVER_ATTEMPTS });
  await detachCover(cover, problem, jobs);
  await end({ state: "failed", problem }, COVER_ATTEMPTS);
  return true;
}

/** Fetches and stores the image of a cover. It is a temporary failure if a large image could not be reduced (Q490). */
async function fetchAndStore({ id, sourceUrl }: ClaimedCover, { stores, settings }: Jobs) {
  const fetched = await fetchImage(sourceUrl, { hosts: settings.COVER_HOSTS, stores });
  if (!fetched.ok) return fetched;
  try {
    const image = await storeFetched(stores, id, fetched.image);
    if (image !== undefined) return { ok: true, image } as const;
    return { ok: false, problem: UNREADABLE_IMAGE, isFinal: true } as const;
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 503) throw error;
    return { ok: false, problem: error.message, isFinal: false } as const;
  }
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

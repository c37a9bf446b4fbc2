import * as z from "zod";
import { readSubscribers } from "../../db/patrons/follows.ts";
import type { Stores } from "../http/bindings.ts";
import { jobKind } from "../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { hidesLog } from "./follow.ts";
import { unlessRemoved } from "./unless-removed.ts";

/** Followers notified at a time. */
const TOLD_SUBSCRIBERS = 50;
/**
 * Delay in seconds before all followers are notified again. The table of followers is written after the patron's own
 * object, so the first pass can miss a patron who has only just begun to follow.
 */
const TOLD_AGAIN_SECONDS = 300;

const message = z.object({
  publisher: z.string(),
  after: z.object({ subscriber: z.string(), created: z.int() }).optional(),
  isAgain: z.boolean().default(false),
});
type Message = z.output<typeof message>;

/**
 * Q227: tells all followers of a patron, page by page, if the patron shows their reading log. It reads the current
 * setting and not the one at the time of the message, so messages may come late, twice and in any order.
 */
export const followPrivacy = jobKind("follow-privacy", message, work);

async function work({ publisher, after, isAgain }: Message, { stores, sources }: Jobs): Promise<void> {
  const end = sources.now() + JOB_BUDGET_MS;
  for (let place = after; ;) {
    const page = await readSubscribers(stores.patrons, publisher, { after: place, limit: TOLD_SUBSCRIBERS });
    if (page.length > 0) {
      const word = { username: publisher, now: sources.now(), disabled: await hidesLog(stores, publisher) };
      // An account that is being removed no longer follows anyone.
      const told = page.map(({ subscriber }) => patronOf(stores, subscriber).follows.setDisabled(word));
      await Promise.all(told.map(unlessRemoved));
    }
    place = page.at(-1);
    if (place === undefined) break;
    if (sources.now() >= end) return send(stores, { publisher, after: place, isAgain });
  }
  if (!isAgain) await send(stores, { publisher, isAgain: true }, TOLD_AGAIN_SECONDS);
}

/** Starts the job. Throws if the queue does not accept it, so that the change of the preference is not acknowledged. */
export async function tellFollowers(stores: Stores, username: string): Promise<void> {
  await send(stores, { publisher: username.toLowerCase(), isAgain: false });
}

async function send(stores: Stores, job: Message, delaySeconds = 0): Promise<void> {
  await stores.patronJobs.send({ kind: followPrivacy.kind, ...job }, { delaySeconds });
}

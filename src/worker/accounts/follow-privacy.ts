import * as z from "zod";
import { readSubscribers } from "../../db/patrons/follows.ts";
import type { Stores } from "../http/bindings.ts";
import { jobKind } from "../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { hidesLog } from "./follow.ts";
import { unlessRemoved } from "./unless-removed.ts";

/** Followers who are told at a time. */
const TOLD_SUBSCRIBERS = 50;
/**
 * After how many seconds all followers are told once more: who had only just begun to follow may not have been among
 * them, because the table of followers learns of it after the patron's own object.
 */
const TOLD_AGAIN_SECONDS = 300;

const message = z.object({
  publisher: z.string(),
  after: z.object({ subscriber: z.string(), created: z.int() }).optional(),
  isAgain: z.boolean().default(false),
});
type Message = z.output<typeof message>;

/**
 * Q227: tells all who follow a patron whether he shows his reading log, page by page. It goes by what holds
 * now, and not by what the message was sent for, so messages may come late, twice and in any order.
 */
export const followPrivacy = jobKind("follow-privacy", message, work);

async function work({ publisher, after, isAgain }: Message, { stores, sources }: Jobs): Promise<void> {
  const end = sources.now() + JOB_BUDGET_MS;
  for (let place = after; ;) {
    const page = await readSubscribers(stores.patrons, publisher, { after: place, limit: TOLD_SUBSCRIBERS });
    if (page.length > 0) {
      const word = { username: publisher, now: sources.now(), disabled: await hidesLog(stores, publisher) };
      // Whose account is being removed follows nobody any more.
      const told = page.map(({ subscriber }) => patronOf(stores, subscriber).follows.setDisabled(word));
      await Promise.all(told.map(unlessRemoved));
    }
    place = page.at(-1);
    if (place === undefined) break;
    if (sources.now() >= end) return send(stores, { publisher, after: place, isAgain });
  }
  if (!isAgain) await send(stores, { publisher, isAgain: true }, TOLD_AGAIN_SECONDS);
}

/** Starts the job. Throws when the queue does not take it: the change that it follows is then not acknowledged. */
export async function tellFollowers(stores: Stores, username: string): Promise<void> {
  await send(stores, { publisher: username.toLowerCase(), isAgain: false });
}

async function send(stores: Stores, job: Message, delaySeconds = 0): Promise<void> {
  await stores.patronJobs.send({ kind: followPrivacy.kind, ...job }, { delaySeconds });
}

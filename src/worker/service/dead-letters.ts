import { createHash } from "node:crypto";
import * as z from "zod";
import { utf8Length } from "../../catalog/utf8.ts";
import {
  type DeadLetter,
  type KeptLetter,
  claimDueLetters,
  deleteOldLetters,
  keepLetters,
  noteSentLetters,
} from "../../db/service/dead-letters.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, isQueueName, queuesOf } from "../http/queue.ts";
import { FOLLOW_PRIVACY } from "../accounts/follow-privacy.ts";
import { buryImports } from "../imports/jobs.ts";

/**
 * For how long it is kept in mind that a letter was sent again, in milliseconds: one that comes back until then is
 * the same one.
 */
export const LETTER_AWAY_MS = 86_400_000;

/**
 * Sends letters to their queues again, and notes which the queues have taken; answers how many. Consumers see a message
 * twice without harm, so one that is sent and not noted does none.
 */
export async function sendLetters(
  letters: readonly KeptLetter[],
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
): Promise<number> {
  const queues = queuesOf(stores);
  const sent: KeptLetter[] = [];
  for (const letter of letters) {
    const { id, queue, body } = letter;
    if (!isQueueName(queue)) continue;
    try {
      await queues[queue].send(JSON.parse(body));
      sent.push(letter);
    } catch (error) {
      logLine("error", "dead-letter", { queue, letter: id, error: String(loggable(error)) });
    }
  }
  if (sent.length > 0) await noteSentLetters(stores.patrons, sent, sources.now() + LETTER_AWAY_MS);
  return sent.length;
}

/** After how long a letter of which nothing else is known is sent again, in milliseconds. */
export const SEND_AGAIN_MS = 900_000;

const followPrivacy = z.object({ kind: z.literal(FOLLOW_PRIVACY) });

/**
 * True for a message of which nothing else is known: books that readers missed, and that a patron shows his reading log or
 * does so no longer. What other messages are about is in rows and objects, from which the sweep or an alarm sends it again.
 */
function isSentAgain(queue: string, body: unknown): boolean {
  if (queue === "carrel-lookups") return true;
  return queue === "carrel-patron-jobs" && followPrivacy.safeParse(body).success;
}

/** How long a letter is kept after the last message like it, in milliseconds. */
export const DEAD_LETTER_MS = 14 * 86_400_000;
/** Letters that one sweep sends again. */
export const LETTERS_SWEPT = 100;

/** The sweep: sends letters again of which nothing else is known, and deletes old ones and those that have arrived. */
export async function sweepLetters({ stores, sources }: Jobs): Promise<void> {
  const now = sources.now();
  await deleteOldLetters(stores.patrons, { before: now - DEAD_LETTER_MS, now });
  // What is not sent now has its turn after the others.
  const due = { now, until: now + SEND_AGAIN_MS, limit: LETTERS_SWEPT };
  const letters = await claimDueLetters(stores.patrons, due);
  if (letters.length === 0) return;
  const sent = await sendLetters(letters, { stores, sources });
  logLine("info", "dead-letter", { sent });
}

/** What the name of a queue of dead letters ends with. */
const DEAD = "-dead";
/** Longest body that is kept whole, in bytes of its JSON: what a queue takes. */
export const DEAD_LETTER_BYTES = 131_072;
/** How much of a longer one is kept, in UTF-16 units. */
export const DEAD_LETTER_START = 2000;
/** Seconds until letters that could not be kept come again; each further time twice as long, up to the second. */
export const LETTER_WAIT_SECONDS = 60;
export const LETTER_WAIT_MAX_SECONDS = 3600;

/** The queue whose letters a queue has; undefined for one that has none. */
export function deadQueue(name: string): string | undefined {
  const queue = name.endsWith(DEAD) ? name.slice(0, -DEAD.length) : "";
  return isQueueName(queue) ? queue : undefined;
}

/**
 * Keeps messages of a queue that could not be delivered, for the operator. Items of imports end with the reason
 * besides. When that fails, the letters come again, later and later.
 */
export async function keepDeadLetters(
  queue: string,
  messages: readonly Message[],
  jobs: Jobs,
): Promise<void> {
  try {
    if (queue === "carrel-imports") await buryImports(messages, jobs);
    const now = jobs.sources.now();
    const letters = messages.map((message) => letterOf(queue, message, now));
    await keepLetters(jobs.stores.patrons, letters, now);
    for (const { message } of letters) logLine("error", "dead-letter", { queue, message });
  } catch (error) {
    logLine("error", "dead-letter", { queue, problem: "not kept", error: String(loggable(error)) });
    for (const message of messages) {
      const seconds = LETTER_WAIT_SECONDS * 2 ** (message.attempts - 1);
      message.retry({ delaySeconds: Math.min(seconds, LETTER_WAIT_MAX_SECONDS) });
    }
  }
}

function letterOf(queue: string, { id, body }: Message, now: number): DeadLetter {
  const text = textOf(body);
  const isWhole = text !== undefined && utf8Length(text) <= DEAD_LETTER_BYTES;
  const start = (text ?? String(body)).slice(0, DEAD_LETTER_START).toWellFormed();
  return {
    queue,
    digest: createHash("sha256")
      .update(text ?? String(body))
      .digest("hex"),
    body: isWhole ? text : JSON.stringify(start),
    isWhole,
    message: id,
    due: isWhole && isSentAgain(queue, body) ? now + SEND_AGAIN_MS : null,
  };
}

/** The JSON of a body; undefined when it has none, and none of this service's messages is like that. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

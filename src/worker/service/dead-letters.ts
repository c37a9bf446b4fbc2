import { createHash } from "node:crypto";
import { utf8Length } from "../../catalog/bytes.ts";
import {
  type KeptLetter,
  type DeadLetter,
  claimDueLetters,
  deleteOldLetters,
  keepLetters,
  noteSentLetters,
} from "../../db/service/dead-letters.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, type QueueReader, doubling, queuesOf } from "../http/queue.ts";

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
    const target = queues.get(queue);
    if (target === undefined) continue;
    try {
      await target.send(JSON.parse(body));
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

/** Longest body that is kept whole, in bytes of its JSON: what a queue takes. */
export const DEAD_LETTER_BYTES = 131_072;
/** How much of a longer one is kept, in UTF-16 units. */
export const DEAD_LETTER_START = 2000;
/** Seconds until letters that could not be kept come again; each further time twice as long, up to the second. */
export const LETTER_WAIT_SECONDS = 60;
export const LETTER_WAIT_MAX_SECONDS = 3600;

/**
 * Keeps messages of a queue that could not be delivered, for the operator, and does what the queue wants done about them. When
 * that fails, the letters come again, later and later.
 */
export async function keepDeadLetters(
  queue: QueueReader,
  messages: readonly Message[],
  jobs: Jobs,
): Promise<void> {
  const { name } = queue;
  try {
    await queue.bury?.(messages, jobs);
    const now = jobs.sources.now();
    const letters = messages.map((message) => letterOf(queue, message, now));
    await keepLetters(jobs.stores.patrons, letters, now);
    for (const { message } of letters) logLine("error", "dead-letter", { queue: name, message });
  } catch (error) {
    logLine("error", "dead-letter", { queue: name, problem: "not kept", error: String(loggable(error)) });
    for (const message of messages) {
      const seconds = doubling(LETTER_WAIT_SECONDS)(message.attempts);
      message.retry({ delaySeconds: Math.min(seconds, LETTER_WAIT_MAX_SECONDS) });
    }
  }
}

function letterOf(queue: QueueReader, { id, body }: Message, now: number): DeadLetter {
  const text = textOf(body);
  const isWhole = text !== undefined && utf8Length(text) <= DEAD_LETTER_BYTES;
  const start = (text ?? String(body)).slice(0, DEAD_LETTER_START).toWellFormed();
  return {
    queue: queue.name,
    digest: createHash("sha256")
      .update(text ?? String(body))
      .digest("hex"),
    body: isWhole ? text : JSON.stringify(start),
    isWhole,
    message: id,
    due: isWhole && queue.isSentAgain?.(body) === true ? now + SEND_AGAIN_MS : null,
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

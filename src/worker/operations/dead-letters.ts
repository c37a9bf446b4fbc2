import { DAY_MS } from "../../catalog/units.ts";
import { createHash } from "node:crypto";
import { utf8Length } from "../../catalog/bytes.ts";
import {
  type StoredLetter,
  type DeadLetter,
  claimDueLetters,
  deleteOldLetters,
  storeLetters,
  recordSentLetters,
} from "../../db/service/dead-letters.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, type QueueConsumer, doublingDelay, queuesOf } from "../http/queue.ts";

/** Time for which a resent letter is remembered, in milliseconds: if it returns until then, it is the same letter. */
export const LETTER_AWAY_MS = DAY_MS;

/**
 * Resends letters to their queues and returns the number of accepted ones. They are recorded afterwards: consumers are
 * idempotent, so a letter that was sent but not recorded does no harm.
 */
export async function resendLetters(letters: readonly StoredLetter[], { stores, sources }: Jobs) {
  const queues = queuesOf(stores);
  const accepted: StoredLetter[] = [];
  for (const letter of letters) {
    const { id, queue, body } = letter;
    const target = queues.get(queue);
    if (target === undefined) continue;
    try {
      await target.send(JSON.parse(body));
      accepted.push(letter);
    } catch (error) {
      logLine("error", "dead-letter", { queue, letter: id, error: String(loggable(error)) });
    }
  }
  if (accepted.length > 0) await recordSentLetters(stores.patrons, accepted, sources.now() + LETTER_AWAY_MS);
  return accepted.length;
}

/** Time until a letter whose subject no table records is resent, in milliseconds. */
export const SEND_AGAIN_MS = 900_000;

/** Retention of a letter after its last delivery, in milliseconds. */
export const DEAD_LETTER_MS = 14 * DAY_MS;
export const LETTERS_SWEPT = 100;

export async function retryDeadLetters(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const now = sources.now();
  await deleteOldLetters(stores.patrons, { before: now - DEAD_LETTER_MS, now });
  // Letters that fail now come after the others next time.
  const due = { now, until: now + SEND_AGAIN_MS, limit: LETTERS_SWEPT };
  const letters = await claimDueLetters(stores.patrons, due);
  if (letters.length === 0) return;
  const sent = await resendLetters(letters, jobs);
  logLine("info", "dead-letter", { sent });
}

/** Largest body that is stored whole, in bytes of its JSON: the limit of a queue message. */
export const DEAD_LETTER_BYTES = 131_072;
export const DEAD_LETTER_START = 2000;
/** Seconds until letters that could not be stored are redelivered; doubles each time up to the maximum. */
export const LETTER_WAIT_SECONDS = 60;
export const LETTER_WAIT_MAX_SECONDS = 3600;

/**
 * Stores undelivered messages of a queue for the operator, after the queue's own handling of them. If that fails, the
 * letters are redelivered with increasing delays.
 */
export async function storeDeadLetters(queue: QueueConsumer, messages: readonly Message[], jobs: Jobs) {
  const { name } = queue;
  try {
    await queue.onDeadLetter?.(messages, jobs);
    const now = jobs.sources.now();
    const letters = messages.map(({ id, body }): DeadLetter => {
      let text: string | undefined;
      try {
        text = JSON.stringify(body);
      } catch {
        // The start of its text is stored instead.
      }
      const isWhole = text !== undefined && utf8Length(text) <= DEAD_LETTER_BYTES;
      const shown = text ?? String(body);
      return {
        queue: name,
        digest: createHash("sha256").update(shown).digest("hex"),
        body: isWhole ? shown : JSON.stringify(shown.slice(0, DEAD_LETTER_START).toWellFormed()),
        isWhole,
        message: id,
        due: isWhole && queue.isSentAgain?.(body) === true ? now + SEND_AGAIN_MS : null,
      };
    });
    await storeLetters(jobs.stores.patrons, letters, now);
    for (const { message } of letters) logLine("error", "dead-letter", { queue: name, message });
  } catch (error) {
    logLine("error", "dead-letter", { queue: name, problem: "not kept", error: String(loggable(error)) });
    for (const message of messages) {
      const seconds = doublingDelay(LETTER_WAIT_SECONDS)(message.attempts);
      message.retry({ delaySeconds: Math.min(seconds, LETTER_WAIT_MAX_SECONDS) });
    }
  }
}

import { type KeptLetter, noteSentLetters } from "../../db/dead-letters/letters.ts";
import { logLine, loggable } from "../log.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { isQueueName } from "../queue/queue-names.ts";
import { queuesOf } from "../queue/queues.ts";

/** For how long it is kept in mind that a letter was sent again, in milliseconds: one that comes back until then is the same one. */
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

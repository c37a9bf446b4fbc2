import { type KeptLetter, forgetLetters } from "../../db/dead-letters/letters.ts";
import { logLine, loggable } from "../log.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { isQueueName } from "../queue/queue-names.ts";
import { queuesOf } from "../queue/queues.ts";

/**
 * Sends letters to their queues again, and forgets those that the queues have taken; answers how many. Consumers see a message
 * twice without harm, so one that is sent and not forgotten does none.
 */
export async function sendLetters(
  letters: readonly KeptLetter[],
  { stores }: Pick<Jobs, "stores">,
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
  if (sent.length > 0) await forgetLetters(stores.patrons, sent);
  return sent.length;
}

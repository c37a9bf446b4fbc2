import { createHash } from "node:crypto";
import { utf8Length } from "../../catalog/utf8.ts";
import { type DeadLetter, keepLetters } from "../../db/dead-letters/keep-letters.ts";
import { SEND_AGAIN_MS, isSentAgain } from "../dead-letters/sent-again.ts";
import { logLine, loggable } from "../log.ts";
import { buryImports } from "./imports.ts";
import type { Jobs } from "./job-kind.ts";
import { isQueueName } from "./queue-names.ts";

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
 * Keeps messages of a queue that could not be delivered, for the operator. Items of imports end with the reason besides. When
 * that fails, the letters come again, later and later.
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

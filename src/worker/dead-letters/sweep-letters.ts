import { claimDueLetters, deleteOldLetters } from "../../db/dead-letters/letters.ts";
import { logLine } from "../log.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { SEND_AGAIN_MS } from "./sent-again.ts";
import { sendLetters } from "./send-letters.ts";

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

import * as z from "zod";
import { FOLLOW_PRIVACY } from "../people/follow-privacy.ts";

/** After how long a letter of which nothing else is known is sent again, in milliseconds. */
export const SEND_AGAIN_MS = 900_000;

const followPrivacy = z.object({ kind: z.literal(FOLLOW_PRIVACY) });

/**
 * True for a message of which nothing else is known: books that readers missed, and that a patron shows his reading log or
 * does so no longer. What other messages are about is in rows and objects, from which the sweep or an alarm sends it again.
 */
export function isSentAgain(queue: string, body: unknown): boolean {
  if (queue === "carrel-lookups") return true;
  return queue === "carrel-patron-jobs" && followPrivacy.safeParse(body).success;
}

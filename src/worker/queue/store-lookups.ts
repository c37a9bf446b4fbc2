import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { stageLookups } from "../../db/imports/lookups.ts";
import { LOOKUP_ASKS_MAX, answerLookups } from "../affiliate/answer-lookups.ts";
import { logLine } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";

/** Message of the `lookups` queue: somebody asked for a book that the catalog does not have. */
export const lookupMessage = z.object({
  isbn: z.string().max(13).nullable(),
  asin: z.string().max(10).nullable(),
  priority: z.enum(["high", "low"]),
  /** How often the affiliate was asked for it before. */
  asked: z.int().min(1).max(LOOKUP_ASKS_MAX).optional(),
});
export type LookupMessage = z.infer<typeof lookupMessage>;

/**
 * Notes what readers missed, and has the affiliate look it up, if there is one. The same book asked for again within a day
 * is one row, and one lookup.
 */
export async function storeLookups(messages: readonly Message[], jobs: Jobs): Promise<void> {
  const wanted: LookupMessage[] = [];
  for (const message of messages) {
    const parsed = lookupMessage.safeParse(message.body);
    if (parsed.success) wanted.push(parsed.data);
    else logLine("error", "lookup", { message: message.id, problem: "not a lookup message" });
  }
  const newest = Math.max(...messages.map(({ timestamp }) => timestamp.getTime()));
  const asked = wanted.filter((message) => message.asked === undefined);
  await stageLookups(jobs.stores.catalog, asked, datetimeText(newest));
  await answerLookups(wanted, jobs);
}

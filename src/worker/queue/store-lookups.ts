import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { stageLookups } from "../../db/lookups/stage.ts";
import type { Stores } from "../context.ts";
import { logLine } from "../log.ts";

/** Message of the `lookups` queue: somebody asked for a book that the catalog does not have. */
export const lookupMessage = z.object({
  isbn: z.string().max(13).nullable(),
  asin: z.string().max(10).nullable(),
  priority: z.enum(["high", "low"]),
});
export type LookupMessage = z.infer<typeof lookupMessage>;

/** Stages what readers missed. The same book asked for again within a day is one row. */
export async function storeLookups(messages: readonly Message[], { catalog }: Stores): Promise<void> {
  const wanted: LookupMessage[] = [];
  for (const message of messages) {
    const parsed = lookupMessage.safeParse(message.body);
    if (parsed.success) wanted.push(parsed.data);
    else logLine("error", "lookup", { message: message.id, problem: "not a lookup message" });
  }
  const newest = Math.max(...messages.map(({ timestamp }) => timestamp.getTime()));
  await stageLookups(catalog, wanted, datetimeText(newest));
}

import type { RequestContext } from "../http/operation.ts";
import { sendOrLog } from "../http/queue.ts";
import type { MissedBook } from "../imports/import-missed.ts";
import type { LookupMessage } from "../imports/lookups.ts";

/** Missed identifiers that one request may stage. */
const STAGED_PER_REQUEST = 50;

/**
 * Asks for books that the catalog does not have to be looked up elsewhere: a message each on the `lookups`
 * queue. Does nothing while `AFFILIATE_LOOKUP` is off. The answer to the reader does not wait.
 */
export function requestLookup(
  missed: readonly MissedBook[],
  context: RequestContext,
  priority: LookupMessage["priority"] = "low",
): void {
  const known = missed
    .filter(({ isbn, asin }) => isbn !== null || asin !== null)
    .slice(0, STAGED_PER_REQUEST);
  if (context.settings.AFFILIATE_LOOKUP === "off" || known.length === 0) return;
  const messages = known.map((book) => ({ body: { ...book, priority } satisfies LookupMessage }));
  const { stores, requestId } = context;
  context.waitUntil(sendOrLog("lookup", { requestId }, () => stores.lookupQueue.sendBatch(messages)));
}

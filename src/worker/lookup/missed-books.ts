import { logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import type { LookupMessage } from "../imports/lookups.ts";

/** Missed identifiers that one request may stage. */
const STAGED_PER_REQUEST = 50;

interface Missed {
  readonly isbn: string | null;
  readonly asin: string | null;
}

/**
 * Asks for books that the catalog does not have to be looked up elsewhere: a message each on the `lookups`
 * queue. Does nothing while `AFFILIATE_LOOKUP` is off. The answer to the reader does not wait.
 */
export function requestLookup(
  missed: readonly Missed[],
  context: RequestContext,
  priority: LookupMessage["priority"] = "low",
): void {
  const known = missed
    .filter(({ isbn, asin }) => isbn !== null || asin !== null)
    .slice(0, STAGED_PER_REQUEST);
  if (context.settings.AFFILIATE_LOOKUP === "off" || known.length === 0) return;
  const messages = known.map(({ isbn, asin }) => ({
    body: { isbn, asin, priority } satisfies LookupMessage,
  }));
  context.waitUntil(send(messages, context));
}

async function send(
  messages: { body: LookupMessage }[],
  { stores, requestId }: RequestContext,
): Promise<void> {
  try {
    await stores.lookupQueue.sendBatch(messages);
  } catch (error) {
    logLine("error", "lookup", { requestId, problem: String(error) });
  }
}

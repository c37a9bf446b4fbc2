import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import {
  lookupIdentifier,
  settleLookups,
  stageLookups,
  firstStagedOrPending,
  pendingLookups,
} from "../../db/imports/lookups.ts";
import { type Jobs, batchQueue, sendOrLog } from "../http/queue.ts";
import { type AffiliateLookup, affiliateOf } from "./affiliate.ts";
import { stageHit } from "./staged.ts";

/** Maximum number of concurrent lookups. */
const LOOKUPS_AT_ONCE = 5;
/**
 * Maximum number of requests to the affiliate per book. The delay between them starts at `LOOKUP_PAUSE_SECONDS` and
 * grows by as much each time.
 */
const LOOKUP_ASKS_MAX = 5;
const LOOKUP_PAUSE_SECONDS = 60;

/** Outcome of a lookup. `again`: the affiliate accepted the request, or did not respond. */
type Outcome = "done" | "failed" | "again";

/** Looks up the pending books at the affiliate and stages the records found. */
async function answerLookups(messages: readonly LookupMessage[], jobs: Jobs): Promise<void> {
  const affiliate = affiliateOf(jobs);
  if (!affiliate.isConfigured) return;
  const byName = new Map(
    messages.flatMap((message): [string, LookupMessage][] => {
      const name = lookupIdentifier(message);
      return name === undefined ? [] : [[name, message]];
    }),
  );
  const pending = await pendingLookups(jobs.stores.catalog, [...byName.keys()]);
  const todo = [...byName].filter(([name]) => pending.has(name));
  const settled = new Map<string, "done" | "failed">();
  for (let start = 0; start < todo.length; start += LOOKUPS_AT_ONCE) {
    const some = todo.slice(start, start + LOOKUPS_AT_ONCE);
    const outcomes = await Promise.all(
      some.map(([name, message]) => lookedUp(name, message, { affiliate, jobs })),
    );
    for (const [index, [name, message]] of some.entries()) {
      const outcome = outcomes[index] ?? "again";
      const isOver = (message.asked ?? 0) + 1 >= LOOKUP_ASKS_MAX;
      if (outcome !== "again") settled.set(name, outcome);
      else if (isOver) settled.set(name, "failed");
      else await askLater(message, jobs);
    }
  }
  await settleLookups(jobs.stores.catalog, settled);
}

async function lookedUp(
  identifier: string,
  { priority }: LookupMessage,
  { affiliate, jobs }: { readonly affiliate: AffiliateLookup; readonly jobs: Jobs },
): Promise<Outcome> {
  const { stores, sources } = jobs;
  const forms = [...bothIsbns(identifier), identifier].filter((form) => form !== undefined);
  if ((await firstStagedOrPending(stores.catalog, forms)) !== undefined) return "done";
  const answer = await affiliate.lookUp(identifier, { highPriority: priority === "high", stageImport: true });
  if (answer.kind === "nothing") return "failed";
  if (answer.kind === "staged") return "done";
  if (answer.kind !== "hit") return "again";
  return (await stageHit({ stores, sources }, answer.record)) ? "done" : "failed";
}

/** Requeues a lookup. A lost message is sent again when the next reader misses the book. */
function askLater(message: LookupMessage, { stores }: Jobs): Promise<void> {
  const asked = (message.asked ?? 0) + 1;
  const later: LookupMessage = { ...message, asked };
  const delaySeconds = asked * LOOKUP_PAUSE_SECONDS;
  return sendOrLog("lookup", {}, () => stores.lookupQueue.send(later, { delaySeconds }));
}

/** Message of the `lookups` queue: a client requested a book that the catalog does not have. */
const lookupMessage = z.object({
  isbn: z.string().max(13).nullable(),
  asin: z.string().max(10).nullable(),
  priority: z.enum(["high", "low"]),
  /** Number of earlier requests to the affiliate for this book. */
  asked: z.int().min(1).max(LOOKUP_ASKS_MAX).optional(),
});
export type LookupMessage = z.infer<typeof lookupMessage>;

/**
 * Stores missed books, and looks them up at the affiliate if there is one. Requests for the same book within a day
 * share one row and one lookup.
 */
export const lookupQueue = batchQueue({
  name: "carrel-lookups",
  event: "lookup",
  misfit: "not a lookup message",
  message: lookupMessage,
  async work(messages, jobs) {
    const missed = messages.map(({ body }) => body);
    const newest = Math.max(...messages.map(({ timestamp }) => timestamp.getTime()));
    const first = missed.filter(({ asked }) => asked === undefined);
    await stageLookups(jobs.stores.catalog, first, datetimeText(newest));
    await answerLookups(missed, jobs);
  },
  isSentAgain: () => true,
});

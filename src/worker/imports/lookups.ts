import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import { lookupIdentifier, settleLookups, stageLookups } from "../../db/imports/write-lookups.ts";
import { firstStagedOrPending, pendingLookups } from "../../db/imports/read-staged.ts";
import { type Jobs, batchQueue, sendOrLog } from "../http/queue.ts";
import { type AffiliateLookup, affiliateOf } from "./affiliate.ts";
import { stageHit } from "./staged.ts";

/** Lookups that are made side by side. */
const LOOKUPS_AT_ONCE = 5;
/** How often the affiliate is asked for one book, and the seconds in between, which grow by each time. */
const LOOKUP_ASKS_MAX = 5;
const LOOKUP_PAUSE_SECONDS = 60;

/** `again`: it was asked for, or nobody answered. */
type Outcome = "done" | "failed" | "again";

/** Has the affiliate look up what is still to be looked up, and holds back what it finds. */
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

/** What is lost here is asked for again when the next reader misses the book. */
function askLater(message: LookupMessage, { stores }: Jobs): Promise<void> {
  const asked = (message.asked ?? 0) + 1;
  const later: LookupMessage = { ...message, asked };
  const delaySeconds = asked * LOOKUP_PAUSE_SECONDS;
  return sendOrLog("lookup", {}, () => stores.lookupQueue.send(later, { delaySeconds }));
}

/** Message of the `lookups` queue: somebody asked for a book that the catalog does not have. */
const lookupMessage = z.object({
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

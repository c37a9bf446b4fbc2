import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { bothIsbnsOf } from "../../catalog/identifiers/isbn.ts";
import {
  lookupIdentifier,
  settleLookups,
  stageLookups,
  findStagedOrPending,
  readLostLookups,
  readPendingLookups,
} from "../../db/imports/lookups.ts";
import { type Jobs, batchQueue, sendOrLog } from "../http/queue.ts";
import { lookUpBook } from "./affiliate.ts";
import { stringsOf } from "../../catalog/record.ts";
import { openBatch } from "../../db/imports/batches.ts";
import { addItems } from "../../db/imports/items.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type ImportRecord, canonicalJson, parseRecord } from "../../import/record.ts";
import type { StagedLookup } from "../../import/parse.ts";
import type { Stores } from "../http/bindings.ts";

const LOOKUPS_AT_ONCE = 5;
/** Maximum requests to the affiliate per book. The pause grows by `LOOKUP_PAUSE_SECONDS` each time. */
const LOOKUP_ATTEMPTS_MAX = 5;
const LOOKUP_PAUSE_SECONDS = 60;

/** Requeues a lookup. The sweep repeats it if the message is lost. */
function requeueLookup(message: LookupMessage, { stores }: Jobs): Promise<void> {
  const asked = (message.asked ?? 0) + 1;
  const retry: LookupMessage = { ...message, asked };
  const delaySeconds = asked * LOOKUP_PAUSE_SECONDS;
  return sendOrLog("lookup", {}, () => stores.lookupQueue.send(retry, { delaySeconds }));
}

/** Milliseconds after its request in which a lookup has ended if none of its messages was lost. */
export const LOOKUP_LOST_MS = 900_000;

/** Requeues lookups whose messages were lost, for a last attempt. A step of the sweep. */
export async function continueLookups(jobs: Jobs): Promise<void> {
  if (jobs.settings.AFFILIATE_URL === "") return;
  const before = formatDatetime(jobs.sources.now() - LOOKUP_LOST_MS);
  for (const lost of await readLostLookups(jobs.stores.catalog, before)) {
    await requeueLookup({ ...lost, asked: LOOKUP_ATTEMPTS_MAX - 2 }, jobs);
  }
}

/** Message of the queue `carrel-lookups`: `{"isbn": "9780141439518", "asin": null, "priority": "low"}`. */
const lookupMessage = z.object({
  isbn: z.string().max(13).nullable(),
  asin: z.string().max(10).nullable(),
  priority: z.enum(["high", "low"]),
  asked: z.int().min(1).max(LOOKUP_ATTEMPTS_MAX).optional(),
});
export type LookupMessage = z.infer<typeof lookupMessage>;

/** Stores missed books and looks them up. Requests for a book within a day share one row and one lookup. */
export const lookupQueue = batchQueue({
  name: "carrel-lookups",
  event: "lookup",
  misfit: "not a lookup message",
  message: lookupMessage,
  async work(messages, jobs) {
    const { catalog } = jobs.stores;
    const missed = messages.map(({ body }) => body);
    const newest = Math.max(...messages.map(({ timestamp }) => timestamp.getTime()));
    const first = missed.filter(({ asked }) => asked === undefined);
    await stageLookups(catalog, first, formatDatetime(newest));
    if (jobs.settings.AFFILIATE_URL === "") return;
    const byName = new Map(missed.map((message) => [lookupIdentifier(message) ?? "", message]));
    const pending = await readPendingLookups(catalog, [...byName.keys()].filter(Boolean));
    const waiting = [...byName].filter(([name]) => pending.has(name));
    const settled = new Map<string, "done" | "failed">();
    for (let start = 0; start < waiting.length; start += LOOKUPS_AT_ONCE) {
      const group = waiting.slice(start, start + LOOKUPS_AT_ONCE);
      const outcomes = await Promise.all(group.map(([name, message]) => lookUpMissed(name, message, jobs)));
      for (const [index, [name, message]] of group.entries()) {
        const isLastAttempt = (message.asked ?? 0) + 1 >= LOOKUP_ATTEMPTS_MAX;
        const outcome = outcomes[index] ?? (isLastAttempt ? "failed" : undefined);
        if (outcome === undefined) await requeueLookup(message, jobs);
        else settled.set(name, outcome);
      }
    }
    await settleLookups(catalog, settled);
  },
  // A reader's request is not stored before it is consumed: that would be a write for every read that misses.
  isSentAgain: () => true,
});

/** Looks up a book and stages it. Returns undefined if the affiliate accepted the request, or did not respond. */
async function lookUpMissed(
  identifier: string,
  { priority }: LookupMessage,
  jobs: Jobs,
): Promise<"done" | "failed" | undefined> {
  const forms = [...bothIsbnsOf(identifier), identifier].filter((form) => form !== undefined);
  if ((await findStagedOrPending(jobs.stores.catalog, forms)) !== undefined) return "done";
  const answer = await lookUpBook(jobs, identifier, { highPriority: priority === "high", stageImport: true });
  if (answer.kind === "nothing") return "failed";
  if (answer.kind === "staged") return "done";
  if (answer.kind !== "hit") return undefined;
  return (await stageRecord(jobs, answer.record)) ? "done" : "failed";
}

/** Stages a record until a client requests the book, unless it is in a batch. Returns false without a source. */
export async function stageRecord({ stores, sources }: Jobs, record: ImportRecord): Promise<boolean> {
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined) return false;
  const now = formatDatetime(sources.now());
  const name = source.startsWith("google_books:") ? "google" : "amz";
  const { batch } = await openBatch(stores.catalog, { name, now });
  const item = { ia_id: source, status: "staged", data: canonicalJson(record) } as const;
  await addItems(stores.catalog, [item], { batch: batch.id, now });
  return true;
}

/** Returns a lookup for the staged or pending record of a book, from which incomplete records are completed. */
export function createStagedLookup({ catalog }: Pick<Stores, "catalog">): StagedLookup {
  return async (identifiers) => {
    const first = await findStagedOrPending(catalog, identifiers);
    try {
      return typeof first?.data === "string" ? parseRecord(first.data) : undefined;
    } catch (error) {
      if (error instanceof ImportFailure) return undefined;
      throw error;
    }
  };
}

import * as z from "zod";
import type { ActivityItem, ActivityMessage } from "../../../catalog/patrons/activity.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { storeActivity } from "../../../db/patrons/write.ts";
import type { Stores } from "../../http/bindings.ts";
import { logLine } from "../../http/log.ts";
import { announceChange, batchQueue } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Log text for an invalid message, or an invalid part of one. */
const MISFIT = "not a message of a patron's object";

const id = z.int().positive();
const time = z.int().nonnegative();
const sequence = id;
const work = z
  .object({
    shelf: z.literal(SHELVES.map((shelf) => shelf.id)).nullable(),
    edition: id.nullable(),
    logged: time.nullable(),
    moved: time.nullable(),
    stars: z.int().min(1).max(5).nullable(),
    ratedEdition: id.nullable(),
    rated: time.nullable(),
    observations: z.array(z.string().regex(/^\d+\.\d+$/)),
    award: z.object({ id, topic: z.string() }).nullable(),
  })
  .refine(({ shelf, logged, moved }) => shelf === null || (logged !== null && moved !== null));
const follow = z.object({ disabled: z.boolean(), created: time, updated: time });
const like = z.object({ value: z.literal([1, -1]), created: time, modified: time });
const subject = z.string().min(1);
const item: z.ZodType<ActivityItem> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("work"),
    subject: z.string().regex(/^[1-9]\d*$/),
    sequence,
    state: work.nullable(),
  }),
  z.object({ kind: z.literal("follow"), subject, sequence, state: follow.nullable() }),
  z.object({ kind: z.literal("like"), subject, sequence, state: like.nullable() }),
]);

/**
 * Consumer of patrons' activity: stores the messages in one transaction, confirms them to the patrons' objects, and
 * wakes the consumer that copies the new counts into the search index. Messages may be doubled, late, or out of order.
 */
export const activityQueue = batchQueue({
  name: "carrel-activity",
  event: "activity",
  misfit: MISFIT,
  message: z.object({ patron: z.string().min(1), items: z.array(z.unknown()) }),
  async work(messages, { stores }) {
    const told = messages
      .map(({ id: name, body: { patron, items } }) => ({ patron, items: usable(items, name) }))
      .filter(({ items }) => items.length > 0);
    if (told.length === 0) return;
    const known = await storeActivity(stores.patrons, told);
    // The object of a removed patron is not called: a call would create its storage anew.
    const confirmed = told.filter(({ patron }) => known.has(patron));
    await confirm(confirmed, stores);
    // No change of the log: the message only wakes the consumer, which goes by the versions of the counts.
    await announceChange(stores.indexQueue, 0);
  },
});

/**
 * Returns the valid items. Checked one by one: an invalid item must not keep the others of its message from being
 * stored.
 */
function usable(items: readonly unknown[], name: string): ActivityItem[] {
  const found = items.flatMap((one) => item.safeParse(one).data ?? []);
  if (found.length < items.length) logLine("error", "activity", { message: name, problem: MISFIT });
  return found;
}

/**
 * Confirms stored items to the patrons' objects. Unconfirmed items are resent and change nothing, so a failure here
 * only delays.
 */
async function confirm(told: readonly ActivityMessage[], stores: Stores): Promise<void> {
  const byPatron = Map.groupBy(told, ({ patron }) => patron);
  const calls = [...byPatron].map(async ([patron, own]) => {
    const stored = own.flatMap(({ items }) =>
      items.map(({ kind, subject: name, sequence: at }) => ({ kind, subject: name, sequence: at })),
    );
    await patronOf(stores, patron).upkeep.confirm(stored);
  });
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === "rejected")
      logLine("error", "activity", { problem: "not confirmed", error: String(result.reason) });
  }
}

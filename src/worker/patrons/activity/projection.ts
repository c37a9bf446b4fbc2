import * as z from "zod";
import type { ActivityItem } from "../../../catalog/patrons/activity.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../../db/accounts/read-accounts.ts";
import { readKnownSubjects, storeActivity } from "../../../db/patrons/activity.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { logLine } from "../../http/log.ts";
import type { RequestContext } from "../../http/operation.ts";
import { announceChange, batchQueue } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

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
 * Consumer of patrons' activity: stores the messages in one transaction, and wakes the consumer that copies the new
 * counts into the search index. Messages may be doubled, late, or out of order. The patrons' objects ask for themselves
 * what is stored.
 */
export const activityQueue = batchQueue({
  name: "carrel-activity",
  event: "activity",
  misfit: MISFIT,
  message: z.object({ patron: z.string().min(1), items: z.array(z.unknown()) }),
  async work(messages, { stores }) {
    const activity = messages.flatMap(({ id: name, body: { patron, items: sent } }) => {
      // One by one: an invalid item must not prevent the others of its message from being stored.
      const items = sent.flatMap((value) => item.safeParse(value).data ?? []);
      if (items.length < sent.length) logLine("error", "activity", { message: name, problem: MISFIT });
      return items.length === 0 ? [] : [{ patron, items }];
    });
    if (activity.length === 0) return;
    await storeActivity(stores.patrons, activity);
    // No change of the log: the message only wakes the consumer, which compares the versions of the counts.
    await announceChange(stores.indexQueue, 0);
  },
});

/** Time budget of one call, in milliseconds; the patron under way is finished. */
const RESEND_CALL_MS = 1000;

/**
 * Rebuilds projections: patrons' objects, in the order of usernames after `after`, resend all their subjects, and
 * retract those that only the projections have. Correct projections do not change. Returns the number of patrons, and
 * the last one in lower case.
 */
export async function resendActivity(
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
  after: string,
) {
  const deadline = sources.now() + RESEND_CALL_MS;
  let [last, patrons] = [after, 0];
  for (;;) {
    const accounts = await listAccounts(stores.patrons, { prefix: "", after: last });
    for (const { usernameFolded } of accounts) {
      if (sources.now() >= deadline && patrons > 0) return { after: last, patrons, finished: false };
      await resendOne({ stores }, usernameFolded);
      last = usernameFolded;
      patrons += 1;
    }
    if (accounts.length < LISTED_ACCOUNTS_MAX) return { after: last, patrons, finished: true };
  }
}

/** Resends the activity of one patron, by username in lower case. */
export async function resendOne({ stores }: Pick<RequestContext, "stores">, patron: string): Promise<void> {
  const known = await readKnownSubjects(stores.patrons, patron);
  // The removal of an account deletes its rows.
  await unlessRemoved(patronOf(stores, patron).upkeep.resendAll(known));
}

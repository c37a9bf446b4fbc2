import { Buffer } from "node:buffer";
import { datetimeText } from "../../catalog/datetime.ts";
import { countWaitingOf, openBatch } from "../../db/imports/batches.ts";
import { type Added, addItems } from "../../db/imports/items.ts";
import type { LineError } from "../../import/batch-line.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import type { Stores } from "../http/bindings.ts";
import { forbidden } from "../http/errors.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { checkedLines } from "./checked-lines.ts";
import { queueItems } from "./queue.ts";

/** Outcome of an upload. */
export interface Submitted extends Omit<Added, "pending"> {
  readonly batch: { readonly id: number; readonly name: string };
  /** True if the new items wait for an administrator. */
  readonly needs_review: boolean;
}

/** Maximum number of batches per patron that wait for approval. */
export const SUBMITTED_WAITING_MAX = 20;
/** Number of digest digits in the name of a batch. */
const NAME_DIGITS = 20;

type Submitter = Actor & { readonly username: string };

/** Returns the account that submits a batch. Throws 403 unless the client is logged in and may write. */
export async function batchSubmitter(context: RequestContext): Promise<Submitter> {
  const actor = await context.actor();
  const { username } = actor;
  if (username === null) throw forbidden("Must be logged in to create a batch import.");
  if (actor.groups.has(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
  return { ...actor, username };
}

/**
 * Queues the records of an upload, or returns the errors of its lines. Identical bytes give the same batch. Records
 * from non-administrators wait for approval. Throws 403 if too many batches of the patron are waiting.
 */
export async function submitBatch(
  context: RequestContext,
  submitter: Submitter,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Submitted | { readonly errors: readonly LineError[] }> {
  const { stores, now: time } = context;
  const { username } = submitter;
  const needsReview = !hasRole(submitter, "admin");
  if (needsReview) await requireRoom(stores, username);
  const { errors, items } = checkedLines(bytes, {
    time: { year: new Date(time).getUTCFullYear() },
    common: { submitter: username, status: needsReview ? "needs_review" : "pending" },
  });
  if (errors.length > 0) return { errors };
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const now = datetimeText(time);
  const name = `batch-${digest.slice(0, NAME_DIGITS)}`;
  const { batch } = await openBatch(stores.catalog, { name, submitter: username, now });
  const { pending, ...added } = await addItems(stores.catalog, items, { batch: batch.id, now });
  await queueItems(stores.importQueue, pending);
  return { batch: { id: batch.id, name: batch.name }, ...added, needs_review: needsReview };
}

/** Q356: limits the unreviewed data that one patron can store. */
async function requireRoom({ catalog }: Stores, username: string): Promise<void> {
  const waiting = await countWaitingOf(catalog, { submitter: username, limit: SUBMITTED_WAITING_MAX });
  if (waiting < SUBMITTED_WAITING_MAX) return;
  throw forbidden(`${waiting} of your batches wait for approval. More can be sent when they are approved.`);
}

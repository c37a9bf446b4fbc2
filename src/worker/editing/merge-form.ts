import { type MergeKind, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { hasRole } from "../http/access.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, redirect } from "../http/reply.ts";
import { mergeNow } from "./merge-records.ts";
import { olidsOf, proposeMerge } from "./merge-requests.ts";

/** What the form of a merge sends: numbers of records, such as `OL1A`. */
interface SentMerge {
  readonly kind: MergeKind;
  /** The record that stays. */
  readonly master: string;
  readonly records: readonly string[];
  readonly comment: string;
  /** Merge request that this answers; empty for none. */
  readonly mrid: string;
}

/**
 * Does what a page asks for: those who may merge through pages do so and are led to the record, librarians propose it
 * and are led to the queue.
 */
export async function sendMerge(sent: SentMerge, context: RequestContext): Promise<Reply> {
  const { kind, master, records, comment, mrid } = sent;
  const { RECORD_PREFIX: prefix } = context.settings;
  const { folder } = MERGE_RULES[kind];
  const [primary = ""] = olidsOf([master], { kind, prefix });
  const duplicates = olidsOf(records, { kind, prefix }).filter((olid) => olid !== primary);
  const actor = await context.actor();
  if (hasRole(actor, "super-librarian")) {
    const note = { mrid: mrid === "" ? null : mrid, comment: comment === "" ? null : comment, olids: "" };
    const keys = duplicates.map((olid) => folder + olid);
    await mergeNow({ kind, master: folder + primary, duplicates: keys, note }, context);
    return redirect(303, folder + primary, { cacheControl: NO_STORE });
  }
  const id = await proposeMerge(context, {
    kind,
    olids: [primary, ...duplicates],
    primary,
    isMerged: false,
    comment,
    username: actor.username ?? "",
  });
  if (id === undefined) {
    const message = "A merge request for these items already exists.";
    throw new CarrelError(400, "merge_request", { message });
  }
  return redirect(303, "/merges", { cacheControl: NO_STORE });
}

/** How items of imports stand, in the order in which they may. */
export const ITEM_STATUSES = [
  "needs_review",
  "staged",
  "pending",
  "processing",
  "created",
  "modified",
  "matched",
  "found",
  "failed",
] as const;

export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Those of books that were here already. Q355: matched ones are, too. */
export const HERE_ALREADY: readonly ItemStatus[] = ["found", "modified", "matched"];

/** How far the file of a batch is split. */
export const BATCH_STATES = ["splitting", "ready", "failed"] as const;

export type BatchState = (typeof BATCH_STATES)[number];

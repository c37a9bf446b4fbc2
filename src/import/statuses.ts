/** Statuses of import items, in the order of their life cycle. */
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

/** Statuses of books that were in the catalog already. Q355: this includes matched ones. */
export const HERE_ALREADY: readonly ItemStatus[] = ["found", "modified", "matched"];

export const BATCH_STATES = ["splitting", "ready", "failed"] as const;

export type BatchState = (typeof BATCH_STATES)[number];

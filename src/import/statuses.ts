/** How items of imports stand. */
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

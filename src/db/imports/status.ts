/** How items of imports stand (import.md 6.2). */
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

/** Numbers of items by status; those of which there are none are absent. */
export type StatusCounts = Partial<Record<ItemStatus, number>>;

/** A row of a count. */
export interface CountRow {
  readonly status: ItemStatus;
  readonly items: number;
}

/** Rows of a count as one object. */
export function countsOf(rows: readonly CountRow[]): StatusCounts {
  return Object.fromEntries(rows.map(({ status, items }) => [status, items]));
}

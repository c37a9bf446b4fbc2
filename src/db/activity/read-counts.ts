import type { WorkCounts } from "../../search/documents/types.ts";

/** Patrons who have a work on each of their shelves (patrons.md 5.3), by the member names of answers. */
export interface ShelfCounts {
  readonly want_to_read: number;
  readonly currently_reading: number;
  readonly already_read: number;
  readonly stopped_reading: number;
}

/** The shelf counts among all counts of a work. */
export function shelfCounts(counts: WorkCounts): ShelfCounts {
  return {
    want_to_read: counts.wantToRead,
    currently_reading: counts.currentlyReading,
    already_read: counts.alreadyRead,
    stopped_reading: counts.stoppedReading,
  };
}

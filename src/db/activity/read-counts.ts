import type { WorkCounts } from "../../search/documents/types.ts";

/** What a work has whose counts nobody has changed. */
export const NO_COUNTS: WorkCounts = {
  ratings: [0, 0, 0, 0, 0],
  wantToRead: 0,
  currentlyReading: 0,
  alreadyRead: 0,
  stoppedReading: 0,
};

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

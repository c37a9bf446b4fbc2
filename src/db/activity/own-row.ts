import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { type CountRow, countsOfRow } from "../patrons/work-counts.ts";
import { type Database, batchGroups } from "../statement.ts";
import {
  type ObservationCountRow,
  type ObservationCounts,
  countsOfRows,
  observationCounts,
} from "./observation-counts.ts";
import { NO_COUNTS } from "../../search/documents/sources.ts";

/** What counts of a patron's relation to a work. */
export type CountedState = Pick<WorkActivity, "shelf" | "stars" | "observations">;

/** Counts of a work, and what one patron contributes to them, as of one moment. */
export interface CountsWithOwn {
  readonly counts: WorkCounts;
  readonly observations: ObservationCounts;
  readonly own: CountedState;
  /** Sequence of the patron's state; 0 when none was ever stored. */
  readonly sequence: number;
}

interface OwnRow {
  sequence: number;
  shelf: ShelfId | null;
  stars: number | null;
  observations: string | null;
}

/** Reads counts of a work and a patron's part of them. One round trip. */
export async function readCountsWithOwn(
  patrons: Database,
  work: number,
  patron: string,
): Promise<CountsWithOwn> {
  const { counted, observed, owned } = await batchGroups<{
    counted: CountRow;
    observed: ObservationCountRow;
    owned: OwnRow;
  }>(patrons, {
    counted: [{ sql: "SELECT * FROM work_count WHERE work_id = ?1", values: [work] }],
    observed: [observationCounts([work])],
    owned: [
      {
        sql: "SELECT sequence, shelf, stars, observations FROM patron_work WHERE patron = ?1 AND work_id = ?2",
        values: [patron.toLowerCase(), work],
      },
    ],
  });
  const [count] = counted;
  const [own] = owned;
  return {
    counts: count === undefined ? NO_COUNTS : countsOfRow(count),
    observations: countsOfRows(observed),
    sequence: own?.sequence ?? 0,
    own: { shelf: own?.shelf ?? null, stars: own?.stars ?? null, observations: codesOf(own?.observations) },
  };
}

function codesOf(text: string | null | undefined): string[] {
  // The column holds what `storeActivity` has put there.
  return text === null || text === undefined ? [] : (JSON.parse(text) as string[]);
}

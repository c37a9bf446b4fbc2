import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import type { ShelfCount } from "../../catalog/patrons/shelves.ts";

/*
 * Rows of D1 `PATRONS` about patrons' activity, as statements return them: works and editions are the numbers of their
 * keys (`work_id` as `work`), patrons usernames in lower case, times milliseconds since the epoch.
 */

/**
 * Columns of `patron_work` with the state of a work, and their values from a JSON object `value` with the `WorkActivity`
 * as its member `state`.
 */
export const WORK_STATE = {
  shelf: "value->>'$.state.shelf'",
  edition_id: "value->>'$.state.edition'",
  logged: "value->>'$.state.logged'",
  moved: "value->>'$.state.moved'",
  stars: "value->>'$.state.stars'",
  rated_edition_id: "value->>'$.state.ratedEdition'",
  rated: "value->>'$.state.rated'",
  observations: "nullif(value->>'$.state.observations', '[]')",
  award_id: "value->>'$.state.award.id'",
  award_topic: "value->>'$.state.award.topic'",
};

/** `patron_work`: a patron's state of a work; `observations` is a JSON array, null: none. */
export interface PatronWorkRow extends Omit<WorkActivity, "observations" | "award"> {
  readonly patron: string;
  readonly work: number;
  /** Sequence of the patron's object: the higher one wins. */
  readonly sequence: number;
  readonly observations: string | null;
}

/** `patron_follow`: after an unfollow all but names and sequence is null. */
export interface PatronFollowRow {
  readonly subscriber: string;
  readonly publisher: string;
  /** 1: the publisher hides their reading log. */
  readonly disabled: number;
  readonly created: number;
  readonly updated: number;
}

/** `work_count`; `version` is the position of the last change among all changes of counts. */
export interface WorkCountRow extends Readonly<Record<`ratings_${1 | 2 | 3 | 4 | 5}` | ShelfCount, number>> {
  readonly work_id: number;
  readonly version: number;
}

/** `observation_count`; `code`: `<type>.<value>`; `<type>`: anything of that type; "": anything. */
export interface ObservationCountRow {
  readonly work_id: number;
  readonly code: string;
  readonly patrons: number;
}

/**
 * Rows of `activity_state` by name: the last hour whose trends are counted (hours since the epoch) and the last work of
 * the next one; the next position of the recount, by work and by day. Values that were never set are absent.
 */
export type ActivityState = Readonly<
  Partial<Record<"trend-hour" | "trend-work" | "recount-works" | "recount-days", number>>
>;

/** `import_job`: an import of a reading log that is under way. */
export interface ReadingLogImport {
  readonly patron: string;
  readonly id: string;
}

/** `removal`: an account that is being removed. */
export interface Removal {
  readonly id: number;
  /** Username in the account's spelling. */
  readonly username: string;
  readonly email: string;
  /** Name under which shelves, ratings and observations stay counted. */
  readonly anonymous: string;
  /** 1: the first pass is complete; the second deletes data that was under way then. */
  readonly isSwept: 0 | 1;
  readonly due: number;
}

/** `work_move`: a work that became another one, and whose patrons are visited. */
export interface WorkMove {
  readonly from: number;
  /** Patrons up to this name have been visited in this pass. */
  readonly after: string;
  readonly created: number;
}

import type { ShelfId } from "./shelves.ts";

/**
 * What patrons' objects tell the rest of the service, through the queue `carrel-activity`: always the whole state of a
 * subject, never a difference, so that messages may be doubled, late, or out of order. Times are milliseconds since the
 * epoch; works and editions are the numbers of their keys.
 */

/** All that one patron's object holds about one work. */
export interface WorkActivity {
  readonly shelf: ShelfId | null;
  /** Edition on the shelf. */
  readonly edition: number | null;
  /** When the work came onto a shelf, and when that row last changed. */
  readonly logged: number | null;
  readonly moved: number | null;
  /** 1 to 5; null: not rated. */
  readonly stars: number | null;
  readonly ratedEdition: number | null;
  readonly rated: number | null;
  /** Observations of the work as a whole: `<type>.<value>`, by number, ascending. */
  readonly observations: readonly string[];
  readonly award: { readonly id: number; readonly topic: string } | null;
}

/** A patron follows another one. */
export interface FollowActivity {
  readonly disabled: boolean;
  readonly created: number;
  readonly updated: number;
}

/** 1: the patron likes the record; -1: he does not. */
export interface LikeActivity {
  readonly value: 1 | -1;
  readonly created: number;
  readonly modified: number;
}

/** The state of one subject. Null: nothing is left of it. The higher sequence of a subject holds. */
export type ActivityItem = { readonly sequence: number } & (
  | { readonly kind: "work"; readonly subject: string; readonly state: WorkActivity | null }
  | { readonly kind: "follow"; readonly subject: string; readonly state: FollowActivity | null }
  | { readonly kind: "like"; readonly subject: string; readonly state: LikeActivity | null }
);

/** `work`: number of the work; `follow`: the publisher's username in lower case; `like`: key of the record. */
export type ActivityKind = ActivityItem["kind"];

/** A message of the queue. `patron` is the username in lower case. */
export interface ActivityMessage {
  readonly patron: string;
  readonly items: readonly ActivityItem[];
}

/** Patrons whom one patron follows, at most. */
export const FOLLOWS_MAX = 5000;

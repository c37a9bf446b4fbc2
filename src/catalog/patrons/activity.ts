import { type Text, english } from "../texts.ts";
import type { ShelfId } from "./shelves.ts";

/**
 * Messages of patrons' objects to the rest of the service, through the queue `carrel-activity`: always the whole state
 * of a subject, never a difference, so that messages may be doubled, late, or out of order. Times are milliseconds
 * since the epoch; works and editions are the numbers of their keys.
 */

export interface WorkActivity {
  readonly shelf: ShelfId | null;
  readonly edition: number | null;
  /** Times when the work came onto a shelf, and when that row last changed. */
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

export interface FollowActivity {
  readonly disabled: boolean;
  readonly created: number;
  readonly updated: number;
}

/** State of a like. 1: the patron likes the record; -1: they dislike it. */
export interface LikeActivity {
  readonly value: 1 | -1;
  readonly created: number;
  readonly modified: number;
}

/** State of one subject. Null: nothing is left of it. The higher sequence of a subject wins. */
export type ActivityItem = { readonly sequence: number } & (
  | { readonly kind: "work"; readonly subject: string; readonly state: WorkActivity | null }
  | { readonly kind: "follow"; readonly subject: string; readonly state: FollowActivity | null }
  | { readonly kind: "like"; readonly subject: string; readonly state: LikeActivity | null }
);

/** `work`: number of the work; `follow`: the publisher's username in lower case; `like`: key of the record. */
export type ActivityKind = ActivityItem["kind"];

/**
 * Message of the queue. `patron` is the username in lower case:
 * `{"patron": "ann", "items": [{"kind": "like", "subject": "/works/OL1W", "sequence": 7, "state": null}]}`.
 */
export interface ActivityMessage {
  readonly patron: string;
  readonly items: readonly ActivityItem[];
}

/** Maximum number of patrons that one patron may follow. */
export const FOLLOWS_MAX = 5000;

/** Reasons against an award. Works are keys. */
interface AwardProblems {
  readonly hasTopic: boolean;
  readonly isRead: boolean;
  readonly topicOfWork?: string | undefined;
  readonly workOfTopic?: string | undefined;
}

/** Returns all reasons against an award, in one text; empty if there are none. */
export function describeAwardProblems(problems: AwardProblems): string {
  const { hasTopic, isRead, topicOfWork, workOfTopic } = problems;
  const reasons: Text[] = [
    ...(hasTopic ? [] : [{ key: "award.incomplete" } as const]),
    ...(isRead ? [] : [{ key: "award.unread" } as const]),
    ...(topicOfWork === undefined
      ? []
      : [{ key: "award.work_taken", values: { topic: topicOfWork } } as const]),
    ...(workOfTopic === undefined
      ? []
      : [{ key: "award.topic_taken", values: { work: workOfTopic } } as const]),
  ];
  return reasons.map(english).join(" ");
}

import type {
  ActivityItem,
  ActivityKind,
  FollowActivity,
  LikeActivity,
  WorkActivity,
} from "../../catalog/patrons/activity.ts";
import { allValues, first } from "../storage.ts";

/** Subject whose newest state the consumer has not confirmed. */
export interface Pending {
  readonly kind: ActivityKind;
  readonly subject: string;
  readonly sequence: number;
}

/** Returns the whole current state of a subject, for the consumers. */
export function activityItem(sql: SqlStorage, { kind, subject, sequence }: Pending): ActivityItem {
  switch (kind) {
    case "work":
      return { kind, subject, sequence, state: workActivity(sql, Number(subject)) };
    case "follow":
      return { kind, subject, sequence, state: followActivity(sql, subject) };
    case "like":
      return { kind, subject, sequence, state: likeActivity(sql, subject) };
  }
}

type WorkRow = Omit<WorkActivity, "observations" | "award"> & {
  awardId: number | null;
  topic: string | null;
  others: number;
};

/** Returns the state of one work; null if the object holds nothing of it. */
export function workActivity(sql: SqlStorage, work: number): WorkActivity | null {
  const row = first<WorkRow>(
    sql,
    `SELECT s.shelf, s.edition, s.created AS logged, s.updated AS moved, r.stars, r.edition AS ratedEdition,
            r.created AS rated, a.id AS awardId, a.topic,
            EXISTS (SELECT 1 FROM note WHERE work = w.work) + EXISTS (SELECT 1 FROM check_in WHERE work = w.work)
              AS others
     FROM (SELECT ?1 AS work) w
     LEFT JOIN shelf_entry s ON s.work = w.work
     LEFT JOIN rating r ON r.work = w.work
     LEFT JOIN award a ON a.work = w.work`,
    work,
  );
  const text = "SELECT type || '.' || value FROM observation WHERE work = ? ORDER BY type, value";
  const observations = allValues<string>(sql, text, work);
  if (row === undefined) return null;
  const { awardId, topic, others, ...state } = row;
  const award = awardId === null || topic === null ? null : { id: awardId, topic };
  const isEmpty =
    state.shelf === null && state.stars === null && award === null && observations.length + others === 0;
  return isEmpty ? null : { ...state, observations, award };
}

function followActivity(sql: SqlStorage, publisher: string): FollowActivity | null {
  const text = "SELECT disabled, created, updated FROM follow WHERE publisher = ?";
  const row = first<Omit<FollowActivity, "disabled"> & { disabled: number }>(sql, text, publisher);
  return row === undefined ? null : { ...row, disabled: row.disabled === 1 };
}

function likeActivity(sql: SqlStorage, key: string): LikeActivity | null {
  const text = "SELECT value, created, modified FROM opinion WHERE key = ?";
  return first<LikeActivity>(sql, text, key) ?? null;
}

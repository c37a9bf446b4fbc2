import type { ActivityItem, ActivityMessage, WorkActivity } from "../../catalog/patrons/activity.ts";
import { type Database, type Statement, batchRows, overList } from "../statement.ts";
import { WORK_STATE } from "./rows.ts";

type Value = string | number | null;

/**
 * Returns an upsert of rows, as JSON arrays, for patrons who have an account; existing rows stay unless they are older.
 */
function upsertion(table: string, [owner = "", subject = "", ...told]: readonly string[]): string {
  const columns = [owner, subject, ...told];
  return `INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${columns.map((_, place) => `e.value->>${place}`).join(", ")}
    FROM json_each(?1) e CROSS JOIN account a ON a.username_folded = e.value->>0 WHERE true
    ON CONFLICT (${owner}, ${subject}) DO UPDATE SET ${told.map((name) => `${name} = excluded.${name}`).join(", ")}
    WHERE excluded.sequence > ${table}.sequence`;
}

const UPSERTIONS: Readonly<Record<ActivityItem["kind"], string>> = {
  work: upsertion("patron_work", ["patron", "work_id", "sequence", "held", ...WORK_STATE]),
  follow: upsertion("patron_follow", [
    "subscriber",
    "publisher",
    "sequence",
    "disabled",
    "created",
    "updated",
  ]),
  like: upsertion("patron_like", ["patron", "record_key", "sequence", "value", "created", "modified"]),
};

const KNOWN =
  "SELECT username_folded AS name FROM account WHERE username_folded IN (SELECT value FROM json_each(?1))";

/**
 * Stores the messages of patrons' objects, all in one transaction with the counts that follow from them (triggers of
 * migrations/patrons/0007). States that are not newer than those stored change nothing. Messages of patrons without an
 * account are skipped: the account is removed. Returns the patrons with an account, by username in lower case.
 */
export async function storeActivity(
  patrons: Database,
  messages: readonly ActivityMessage[],
): Promise<ReadonlySet<string>> {
  const names = [...new Set(messages.map(({ patron }) => patron))];
  const known = overList(names, KNOWN);
  const results = await batchRows(patrons, [...known, ...statements(messages)]);
  const found = results.slice(0, known.length).flat();
  // These are the rows of `KNOWN`.
  return new Set((found as { name: string }[]).map(({ name }) => name));
}

function statements(messages: readonly ActivityMessage[]): Statement[] {
  const rows: Record<ActivityItem["kind"], Value[][]> = { work: [], follow: [], like: [] };
  for (const { patron, items } of messages)
    for (const item of items) rows[item.kind].push(rowOf(patron, item));
  return (["work", "follow", "like"] as const).flatMap((kind) => overList(rows[kind], UPSERTIONS[kind]));
}

/** Members that are missing at the end of a row are NULL to `json_each`. */
function rowOf(patron: string, { kind, subject, sequence, state }: ActivityItem): Value[] {
  switch (kind) {
    case "work": {
      const columns = state === null ? [] : workColumns(state);
      return [patron, Number(subject), sequence, Number(state !== null), ...columns];
    }
    case "follow":
      if (state === null) return [patron, subject, sequence];
      return [patron, subject, sequence, Number(state.disabled), state.created, state.updated];
    case "like":
      if (state === null) return [patron, subject, sequence];
      return [patron, subject, sequence, state.value, state.created, state.modified];
  }
}

/** Returns the state of a work in the order of `WORK_STATE`. */
export function workColumns(state: WorkActivity): Value[] {
  const { shelf, edition, logged, moved, stars, ratedEdition, rated, observations, award } = state;
  const observed = observations.length === 0 ? null : JSON.stringify(observations);
  const awarded = award === null ? [null, null] : [award.id, award.topic];
  return [shelf, edition, logged, moved, stars, ratedEdition, rated, observed, ...awarded];
}

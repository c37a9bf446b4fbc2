import type {
  ActivityItem,
  ActivityMessage,
  WorkActivity,
  ActivityKind,
} from "../../catalog/patrons/activity.ts";
import {
  batchRows,
  overList,
  firstValue,
  rows,
  allValues,
  run,
  type Database,
  type Statement,
} from "../statement.ts";
import { WORK_STATE } from "./patron-rows.ts";

type Value = string | number | null;

/**
 * Returns an upsert of rows, as JSON arrays, for patrons who have an account; existing rows stay unless they are older.
 */
function upsertionSql(table: string, [owner = "", subject = "", ...others]: readonly string[]): string {
  const columns = [owner, subject, ...others];
  return `INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${columns.map((_, place) => `e.value->>${place}`).join(", ")}
    FROM json_each(?1) e CROSS JOIN account a ON a.username_folded = e.value->>0 WHERE true
    ON CONFLICT (${owner}, ${subject}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}
    WHERE excluded.sequence > ${table}.sequence`;
}

const UPSERTIONS: Readonly<Record<ActivityItem["kind"], string>> = {
  work: upsertionSql("patron_work", ["patron", "work_id", "sequence", "held", ...WORK_STATE]),
  follow: upsertionSql("patron_follow", [
    "subscriber",
    "publisher",
    "sequence",
    "disabled",
    "created",
    "updated",
  ]),
  like: upsertionSql("patron_like", ["patron", "record_key", "sequence", "value", "created", "modified"]),
};

/**
 * Stores the messages of patrons' objects, all in one transaction with the counts that follow from them (triggers of
 * migrations/patrons/0007). States that are not newer than those stored change nothing. Messages of patrons without an
 * account are skipped: the account is removed.
 */
export async function storeActivity(patrons: Database, messages: readonly ActivityMessage[]): Promise<void> {
  await batchRows(patrons, toStatements(messages));
}

export type PendingSubject = Pick<ActivityItem, "kind" | "subject" | "sequence">;

const STORED = `SELECT e.value->>0 AS kind, e.value->>1 AS subject, e.value->>2 AS sequence FROM json_each(?2) e
  WHERE e.value->>2 <= CASE e.value->>0
    WHEN 'work' THEN (SELECT sequence FROM patron_work
                      WHERE patron = ?1 AND work_id = CAST(e.value->>1 AS INTEGER))
    WHEN 'follow' THEN (SELECT sequence FROM patron_follow WHERE subscriber = ?1 AND publisher = e.value->>1)
    ELSE (SELECT sequence FROM patron_like WHERE patron = ?1 AND record_key = e.value->>1) END`;

/** Filters subjects of a patron, by username in lower case: returns those whose state, or a newer one, is stored. */
export function readStoredSubjects(
  patrons: Database,
  patron: string,
  subjects: readonly PendingSubject[],
): Promise<PendingSubject[]> {
  const list = subjects.map(({ kind, subject, sequence }) => [kind, subject, sequence]);
  return rows<PendingSubject>(patrons, { sql: STORED, values: [patron, JSON.stringify(list)] });
}

function toStatements(messages: readonly ActivityMessage[]): Statement[] {
  const values: Record<ActivityItem["kind"], Value[][]> = { work: [], follow: [], like: [] };
  for (const { patron, items } of messages)
    for (const item of items) values[item.kind].push(rowOf(patron, item));
  return (["work", "follow", "like"] as const).flatMap((kind) => overList(values[kind], UPSERTIONS[kind]));
}

/** Members that are missing at the end of a row are NULL to `json_each`. */
function rowOf(patron: string, { kind, subject, sequence, state }: ActivityItem): Value[] {
  switch (kind) {
    case "work": {
      const columns = state === null ? [] : workColumnsOf(state);
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

export function workColumnsOf(state: WorkActivity): Value[] {
  const { shelf, edition, logged, moved, stars, ratedEdition, rated, observations, award } = state;
  const observed = observations.length === 0 ? null : JSON.stringify(observations);
  const awarded = award === null ? [null, null] : [award.id, award.topic];
  return [shelf, edition, logged, moved, stars, ratedEdition, rated, observed, ...awarded];
}

/** Subject of the projections; `kind` is null if nothing is left of it. */
type Subject = Omit<ActivityItem, "kind" | "state"> & { readonly kind: ActivityKind | null };

/**
 * Reads all subjects of a patron in the projections, by username in lower case, and the highest stored sequence; 0 if
 * there is none. One statement.
 */
export async function readKnownSubjects(patrons: Database, patron: string) {
  const sql = `SELECT iif(held = 1, 'work', NULL) AS kind, CAST(work_id AS TEXT) AS subject, sequence
               FROM patron_work WHERE patron = ?1
               UNION ALL SELECT iif(created IS NOT NULL, 'follow', NULL), publisher, sequence
               FROM patron_follow WHERE subscriber = ?1
               UNION ALL SELECT iif(value IS NOT NULL, 'like', NULL), record_key, sequence
               FROM patron_like WHERE patron = ?1`;
  const subjects = await rows<Subject>(patrons, { sql, values: [patron] });
  const known = subjects.flatMap(({ kind, subject }) => (kind === null ? [] : [{ kind, subject }]));
  return { known, after: subjects.reduce((most, { sequence }) => Math.max(most, sequence), 0) };
}

/**
 * Returns the owner of a check-in number, as username in lower case; undefined if it was never given out, or is
 * forgotten.
 */
export async function readCheckInOwner(patrons: Database, id: number): Promise<string | undefined> {
  const sql = "SELECT patron FROM check_in_id WHERE id = ?1";
  return firstValue<string>(patrons, { sql, values: [id] });
}

/** Returns a number for an award that no other has or had. Throws if the counter's row is missing. */
export async function reserveAwardId(patrons: Database): Promise<number> {
  const sql = "UPDATE award_number SET value = value + 1 RETURNING value";
  const id = await firstValue<number>(patrons, { sql, values: [] });
  if (id === undefined) throw new Error("no row in award_number");
  return id;
}

/** Reserves numbers of check-ins for a patron, by username in lower case. One statement. */
export async function reserveCheckInIds(patrons: Database, patron: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
               INSERT INTO check_in_id (patron) SELECT ?1 FROM n RETURNING id`;
  return allValues<number>(patrons, { sql, values: [patron, count] });
}

/** Notes the numbers of a patron's check-ins from a backup. */
export async function restoreCheckInIds(
  patrons: Database,
  patron: string,
  ids: readonly number[],
): Promise<void> {
  const sql =
    "INSERT OR IGNORE INTO check_in_id (id, patron) SELECT e.value->>0, e.value->>1 FROM json_each(?1) e";
  await batchRows(
    patrons,
    overList(
      ids.map((id) => [id, patron]),
      sql,
    ),
  );
}

/** Deletes the number of a deleted check-in. It is not given out again. */
export async function forgetCheckIn(patrons: Database, id: number): Promise<void> {
  await run(patrons, { sql: "DELETE FROM check_in_id WHERE id = ?1", values: [id] });
}

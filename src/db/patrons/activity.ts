import type { ActivityItem, ActivityMessage, ActivityKind } from "../../catalog/patrons/activity.ts";
import { batchRows, overList, firstValue, rows, allValues, run, type Database } from "../statement.ts";
import { WORK_STATE } from "./patron-rows.ts";

/**
 * Returns an upsert of JSON objects `value`, for patrons who have an account; existing rows stay unless they are older.
 * `columns` are the expressions of columns, beside that of the subject.
 */
function upsertSql(
  table: string,
  [owner, subject]: readonly [string, string],
  columns: Readonly<Record<string, string>>,
): string {
  const others = { sequence: "value->>'sequence'", ...columns };
  return `INSERT INTO ${table} (${[owner, subject, ...Object.keys(others)].join(", ")})
    SELECT value->>'patron', value->>'subject', ${Object.values(others).join(", ")}
    FROM json_each(?1) CROSS JOIN account a ON a.username_folded = value->>'patron' WHERE true
    ON CONFLICT (${owner}, ${subject}) DO UPDATE SET ${Object.keys(others)
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")}
    WHERE excluded.sequence > ${table}.sequence`;
}

const UPSERTS: Readonly<Record<ActivityKind, string>> = {
  work: upsertSql("patron_work", ["patron", "work_id"], {
    held: "value->>'state' IS NOT NULL",
    ...WORK_STATE,
  }),
  follow: upsertSql("patron_follow", ["subscriber", "publisher"], {
    disabled: "value->>'$.state.disabled'",
    created: "value->>'$.state.created'",
    updated: "value->>'$.state.updated'",
  }),
  like: upsertSql("patron_like", ["patron", "record_key"], {
    value: "value->>'$.state.value'",
    created: "value->>'$.state.created'",
    modified: "value->>'$.state.modified'",
  }),
};

/**
 * Stores the messages of patrons' objects, all in one transaction with the counts that follow from them (triggers of
 * migrations/patrons/0007). States that are not newer than those stored change nothing. Messages of patrons without an
 * account are skipped: the account is removed.
 */
export async function storeActivity(patrons: Database, messages: readonly ActivityMessage[]): Promise<void> {
  const all = messages.flatMap(({ patron, items }) => items.map((item) => Object.assign({ patron }, item)));
  const statements = (["work", "follow", "like"] as const).flatMap((kind) =>
    overList(
      all.filter((item) => item.kind === kind),
      UPSERTS[kind],
    ),
  );
  await batchRows(patrons, statements);
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
  const rowsOfPatron = ids.map((id) => [id, patron]);
  const sql = "INSERT OR IGNORE INTO check_in_id (id, patron) SELECT value->>0, value->>1 FROM json_each(?1)";
  await batchRows(patrons, overList(rowsOfPatron, sql));
}

/** Deletes the number of a deleted check-in. It is not given out again. */
export async function forgetCheckIn(patrons: Database, id: number): Promise<void> {
  await run(patrons, { sql: "DELETE FROM check_in_id WHERE id = ?1", values: [id] });
}

import type { ActivityItem, ActivityKind } from "../../catalog/patrons/activity.ts";
import { type Database, firstValue, rows } from "../statement.ts";

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
  const found = await rows<Subject>(patrons, { sql, values: [patron] });
  const known = found.flatMap(({ kind, subject }) => (kind === null ? [] : [{ kind, subject }]));
  return { known, after: found.reduce((most, { sequence }) => Math.max(most, sequence), 0) };
}

/**
 * Returns the owner of a check-in number, as username in lower case; undefined if it was never given out, or is
 * forgotten.
 */
export async function checkInOwner(patrons: Database, id: number): Promise<string | undefined> {
  const sql = "SELECT patron FROM check_in_id WHERE id = ?1";
  return firstValue<string>(patrons, { sql, values: [id] });
}

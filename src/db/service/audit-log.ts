import { HOUR_MS } from "../../catalog/units.ts";
import { rows, whereSql, run, type Database } from "../statement.ts";

/** `audit` in D1 `PATRONS`. */
export interface AuditRow {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  /** `/people/<username>`, or `operator`; null if the client was not logged in. */
  readonly actor: string | null;
  /** Key of a record, or name of a setting. */
  readonly subject: string | null;
  readonly network: string;
  readonly request: string;
  /** JSON object. */
  readonly details: string;
}

type AuditPosition = Pick<AuditRow, "time" | "id">;

interface AuditFilter {
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** Start of the period; `until` is its end, exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly before?: AuditPosition | undefined;
}

export async function listAudit(
  patrons: Database,
  { event, actor, subject, from, until, before }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  const { where, values } = whereSql([
    ["event = ?", event],
    ["actor = ?", actor],
    ["subject = ?", subject],
    ["time >= ?", from],
    ["time < ?", until],
    ["(time, id) < (?, ?)", before?.time, before?.id],
  ]);
  const sql = `SELECT id, time, event, actor, subject, network, request, details FROM audit ${where}
               ORDER BY time DESC, id DESC LIMIT ${limit}`;
  return rows<AuditRow>(patrons, { sql, values });
}

/**
 * Maximum rows of one event per network and hour, for capped events: a flood does not displace rows of other networks.
 */
export const AUDIT_HOUR_MAX = 100;
const DELETED_AT_ONCE = 5000;

export async function storeAudit(
  patrons: Database,
  { time, event, actor, subject, network, request, details }: Omit<AuditRow, "id">,
  isCapped: boolean,
): Promise<void> {
  const sql = `INSERT INTO audit (time, event, actor, subject, network, request, details)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?8 OR ${AUDIT_HOUR_MAX} > (SELECT count(*) FROM (
      SELECT 1 FROM audit WHERE event = ?2 AND network = ?5 AND time > ?1 - ${HOUR_MS} LIMIT ${AUDIT_HOUR_MAX}))`;
  const values = [time, event, actor, subject, network, request, details, isCapped ? 0 : 1];
  await run(patrons, { sql, values });
}

/** Deletes the oldest rows before a time. Returns true if there may be more. One statement. */
export async function deleteOldAudit(patrons: Database, before: number): Promise<boolean> {
  const sql = `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE time < ?1 ORDER BY time LIMIT ${DELETED_AT_ONCE})`;
  return (await run(patrons, { sql, values: [before] })) === DELETED_AT_ONCE;
}

/**
 * Deletes the oldest rows of an event that are not among the newest `kept` rows of all events. Returns true if there
 * may be more.
 */
export async function deleteSurplusAudit(
  patrons: Database,
  event: string,
  keptRows: number,
): Promise<boolean> {
  const sql = `DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?2
    AND id IN (SELECT id FROM audit WHERE event = ?1 AND (SELECT max(id) FROM audit) > ?2 ORDER BY time LIMIT ${DELETED_AT_ONCE})`;
  return (await run(patrons, { sql, values: [event, keptRows] })) === DELETED_AT_ONCE;
}

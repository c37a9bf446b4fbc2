import { type Database, rows, whereSql } from "../statement.ts";

/** `audit` in D1 `PATRONS`. */
export interface AuditRow {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  /** `/people/<username>`, or `operator`; null: nobody who was logged in. */
  readonly actor: string | null;
  /** Key of a record, or name of a setting. */
  readonly subject: string | null;
  readonly network: string;
  /** Id of the request. */
  readonly request: string;
  /** JSON object. */
  readonly details: string;
}

/** Where a list goes on: behind this row. */
type AuditPosition = Pick<AuditRow, "time" | "id">;

/** Which rows are listed; whatever is absent does not matter. */
interface AuditFilter {
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** From this time on, and before that one. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly before?: AuditPosition | undefined;
}

/** Rows, the newest first. One statement. */
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

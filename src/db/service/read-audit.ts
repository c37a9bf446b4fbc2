import { type Database, rows, whereSql } from "../statement.ts";

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
  /** Id of the request. */
  readonly request: string;
  /** JSON object. */
  readonly details: string;
}

/** Row after which a list continues. */
type AuditPosition = Pick<AuditRow, "time" | "id">;

/** Filter of a list; absent members do not restrict it. */
interface AuditFilter {
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** Start of the period; `until` is its end, exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly before?: AuditPosition | undefined;
}

/** Reads audit rows, newest first. One statement. */
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

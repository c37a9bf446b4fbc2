import { type Database, type Statement, firstRow } from "../statement.ts";

/** Whether nothing may be saved, who has set that (`/people/<username>`; null for the operator) and when (naive UTC). */
export interface ServiceState {
  /** `on` or `off`. */
  readonly value: string;
  readonly changed: string;
  readonly by: string | null;
}

/** What was set; undefined when nothing ever was, and everything may be saved. One indexed read. */
export function readServiceState(database: Database): Promise<ServiceState | undefined> {
  const sql = "SELECT value, changed, by FROM service_state WHERE name = 'read_only'";
  return firstRow<ServiceState>(database, { sql, values: [] });
}

/** One row when nothing may be saved. */
export const READ_ONLY: Statement = {
  sql: "SELECT 1 AS found FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

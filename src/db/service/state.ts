import { type Database, type Statement, firstRow } from "../statement.ts";

/**
 * Read-only mode of the service, with its author (`/people/<username>`; null for the operator) and time (naive UTC).
 */
export interface ServiceState {
  /** `on` or `off`. */
  readonly value: string;
  readonly changed: string;
  readonly by: string | null;
}

/** Reads the state. Returns undefined if it has never been set, in which case saving is allowed. One indexed read. */
export function readServiceState(database: Database): Promise<ServiceState | undefined> {
  const sql = "SELECT value, changed, by FROM service_state WHERE name = 'read_only'";
  return firstRow<ServiceState>(database, { sql, values: [] });
}

/** Statement that returns one row in read-only mode. */
export const READ_ONLY: Statement = {
  sql: "SELECT 1 AS found FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

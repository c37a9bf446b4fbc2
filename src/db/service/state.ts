import { type Database, type Statement, firstRow } from "../statement.ts";

/** Names of what can be set for the whole service. `read_only` is `on` or `off`; absent is off. */
export type ServiceStateName = "read_only";

/** What was set, when (naive UTC) and by whom (`/people/<username>`; null for the operator). */
export interface ServiceState {
  readonly value: string;
  readonly changed: string;
  readonly by: string | null;
}

/** What is set under a name, or undefined. One indexed read. */
export function readServiceState(
  database: Database,
  name: ServiceStateName,
): Promise<ServiceState | undefined> {
  const sql = "SELECT value, changed, by FROM service_state WHERE name = ?1";
  return firstRow<ServiceState>(database, { sql, values: [name] });
}

/** One row when nothing may be saved. */
export const READ_ONLY: Statement = {
  sql: "SELECT 1 AS found FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

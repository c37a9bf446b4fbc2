import { type Database, type Statement, firstRow, prepare } from "../statement.ts";

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
  return firstRow<ServiceState>(database, {
    sql: "SELECT value, changed, by FROM service_state WHERE name = ?1",
    values: [name],
  });
}

/** Sets something for the whole service. When it returns, saves that were under way know of it too. */
export async function setServiceState(
  database: Database,
  name: ServiceStateName,
  { value, changed, by }: ServiceState,
): Promise<void> {
  const sql = "INSERT OR REPLACE INTO service_state (name, value, changed, by) VALUES (?1, ?2, ?3, ?4)";
  await prepare(database, { sql, values: [name, value, changed, by] }).run();
}

/** One row when nothing may be saved. */
export const READ_ONLY: Statement = {
  sql: "SELECT 1 AS found FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

/** Makes a batch fail while nothing may be saved: it was switched after the batch was planned. */
export const NOT_READ_ONLY: Statement = {
  sql: "INSERT INTO expectation (met) SELECT 0 FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

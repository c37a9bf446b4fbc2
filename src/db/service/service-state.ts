import { firstRow, run, type Database, type Statement } from "../statement.ts";

/**
 * Read-only mode of the service, with its author (`/people/<username>`; null for the operator) and time (naive UTC).
 */
interface ServiceState {
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

/** Switches read-only mode. Once it returns, saves in progress observe it too. */
export async function setServiceState(
  database: Database,
  { value, changed, by }: ServiceState,
): Promise<void> {
  const sql =
    "INSERT INTO service_state (name, value, changed, by) VALUES ('read_only', ?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed = excluded.changed, by = excluded.by";
  await run(database, { sql, values: [value, changed, by] });
}

/** Statement that fails a batch in read-only mode, which may have been switched on after the batch was planned. */
export const NOT_READ_ONLY: Statement = {
  sql: "INSERT INTO expectation (met) SELECT 0 FROM service_state WHERE name = 'read_only' AND value = 'on'",
  values: [],
};

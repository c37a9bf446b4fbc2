import { type Database, type Statement, run } from "../statement.ts";
import type { ServiceState } from "./state.ts";

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

import { groupsStatement } from "../records/permissions.ts";
import { batchGroups, firstRow, run, type Database, type Statement } from "../statement.ts";

/**
 * Read-only mode of the service, with its author (`/people/<username>`; null for the operator) and time (naive UTC).
 */
interface ServiceState {
  /** `on` or `off`. */
  readonly value: string;
  readonly changed: string;
  readonly by: string | null;
}

const SERVICE_STATE: Statement = {
  sql: "SELECT value, changed, by FROM service_state WHERE name = 'read_only'",
  values: [],
};

/** Reads the state. Returns undefined if it has never been set, in which case saving is allowed. One indexed read. */
export function readServiceState(database: Database): Promise<ServiceState | undefined> {
  return firstRow<ServiceState>(database, SERVICE_STATE);
}

/** Read-only mode and usergroups, for the checks before an operation. */
export interface AccessState {
  readonly service: ServiceState | undefined;
  readonly groups: readonly string[];
}

/** Reads the state of the service, and the usergroups of a user if one is given. One round trip. */
export async function readAccessState(database: Database, userKey?: string): Promise<AccessState> {
  const { service, groups } = await batchGroups<{ service: ServiceState; groups: { key: string } }>(
    database,
    {
      service: SERVICE_STATE,
      groups: userKey === undefined ? [] : groupsStatement(userKey),
    },
  );
  return { service: service[0], groups: groups.map(({ key }) => key) };
}

/** Switches read-only mode. Once it returns, saves in progress observe it too. */
export async function setServiceState(
  database: Database,
  { value, changed, by }: ServiceState,
): Promise<void> {
  const sql =
    "INSERT INTO service_state (name, value, changed, by) VALUES ('read_only', ?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed = excluded.changed, by = excluded.by";
  await run(database, { sql, values: [value, changed, by] });
}

import { type Permissions, permissionsOf } from "./permissions.ts";
import { placesAbove } from "./places.ts";
import {
  type GroupRow,
  type PermissionRow,
  type PlaceRow,
  groupStatement,
  permissionStatements,
  placeStatements,
} from "./statements.ts";
import { type Database, batchGroups } from "../statement.ts";

/** What a user may do with the records of these keys (records.md 10.2). One round trip. */
export async function readRights(
  database: Database,
  user: string,
  keys: readonly string[],
): Promise<Permissions> {
  const places = [...new Set([...keys, ...placesAbove(keys)])];
  const rows = await batchGroups<{ places: PlaceRow; permissions: PermissionRow; groups: GroupRow }>(
    database,
    {
      places: placeStatements(places),
      permissions: permissionStatements(places),
      groups: [groupStatement(user)],
    },
  );
  return permissionsOf(user, rows);
}

import { type Statement, overList } from "../statement.ts";

/** What a stored record says about permission; null where it says nothing. Keys of permission records. */
export interface PlaceRow {
  readonly key: string;
  /** Permission of the record itself. */
  readonly permission: string | null;
  /** Permission of what lies below it. */
  readonly child: string | null;
}

/** A permission record: `writers` is JSON as stored, an array of references where it is sound. */
export interface PermissionRow {
  readonly key: string;
  readonly writers: string | null;
}

/** A usergroup that a user is a member of. */
export interface GroupRow {
  readonly key: string;
}

// A bare key where a reference belongs still protects the record.
const OWN = "coalesce(r.document->>'$.permission.key', r.document->>'$.permission')";
const CHILD = "coalesce(r.document->>'$.child_permission.key', r.document->>'$.child_permission')";

/** Rows of `PlaceRow` for the keys that are stored and say something. */
export function placeStatements(keys: readonly string[]): Statement[] {
  return overList(
    keys,
    `SELECT * FROM (SELECT r.key, ${OWN} AS permission, ${CHILD} AS child
                    FROM json_each(?1) e JOIN record r ON r.key = e.value)
     WHERE permission IS NOT NULL OR child IS NOT NULL`,
  );
}

/** Rows of `PermissionRow` for the permission records that the keys name. */
export function permissionStatements(keys: readonly string[]): Statement[] {
  return overList(
    keys,
    `WITH place AS (SELECT ${OWN} AS permission, ${CHILD} AS child
                    FROM json_each(?1) e JOIN record r ON r.key = e.value)
     SELECT key, document->'$.writers' AS writers FROM record
     WHERE type = '/type/permission'
       AND key IN (SELECT permission FROM place UNION SELECT child FROM place)`,
  );
}

/** Rows of `GroupRow`: exact equality in `members` (records.md 10.1). */
export function groupStatement(userKey: string): Statement {
  return {
    sql: `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
          WHERE p.name = 'members' AND p.value = ?1 AND r.type = '/type/usergroup'`,
    values: [userKey],
  };
}

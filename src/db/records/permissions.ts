import { type Json, keysOf } from "../../catalog/record.ts";
import { ADMIN_GROUP, ADMIN_USER, PSEUDO_GROUPS, READ_ONLY_GROUP, groupKeyOf } from "../../catalog/roles.ts";
import { type Database, type Statement, batchGroups, overList } from "../statement.ts";

/** Returns the path of a key upwards: `/people/a/lists/OL1L` lies in `/people/a/lists`, `/people/a`, `/people`, `/`. */
function ancestorsOf(key: string): string[] {
  const ancestors: string[] = [];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    ancestors.push(key.slice(0, end));
  }
  return key === "/" ? [] : [...ancestors, "/"];
}

/** Folders whose records every logged-in user may write, unless a permission says otherwise. */
const OPEN_FOLDERS = ["/works/", "/books/", "/authors/", "/series/", "/lists/", "/tags/"];
/** Folders that control access: a permission for everything (`/`) does not open them (Q145). */
const GUARDED_FOLDERS = ["/usergroup/", "/permission/", "/type/", "/admin/"];

export interface PermissionRows {
  places: PlaceRow;
  permissions: PermissionRow;
  groups: { readonly key: string };
}

/** Rights of one writer (with the defaults of Carrel). */
export interface Permissions {
  readonly isAdmin: boolean;
  mayWrite(key: string): boolean;
}

export const SERVICE_PERMISSIONS: Permissions = { isAdmin: true, mayWrite: () => true };

/** Returns the rights of a user. Null means a client without a session, which may not write. */
export function permissionsOf(
  author: string | null,
  rows: { readonly [Name in keyof PermissionRows]: readonly PermissionRows[Name][] },
): Permissions {
  if (author === null) return { isAdmin: false, mayWrite: () => false };
  if (author === ADMIN_USER) return SERVICE_PERMISSIONS;
  const groups = new Set([...rows.groups.map(({ key }) => key), ...PSEUDO_GROUPS.map(groupKeyOf)]);
  const isReadOnly = groups.has(READ_ONLY_GROUP);
  const isAdmin = groups.has(ADMIN_GROUP) && !isReadOnly;
  const places = new Map(rows.places.map((place) => [place.key, place]));
  const writers = new Map(rows.permissions.map((row) => [row.key, parseWriterGroups(row.writers)]));
  const mayWrite = (key: string): boolean => {
    if (isReadOnly) return false;
    if (isAdmin) return true;
    const permission = permissionOf(key, places);
    if (permission === undefined) return OPEN_FOLDERS.some((folder) => key.startsWith(folder));
    return (writers.get(permission) ?? []).some((group) => groups.has(group));
  };
  return { isAdmin, mayWrite };
}

/** Returns the key of the first permission found: the record's own, or else that of the nearest ancestor. */
function permissionOf(key: string, places: ReadonlyMap<string, PlaceRow>): string | undefined {
  const ownPermission = places.get(key)?.permission ?? undefined;
  if (ownPermission !== undefined) return ownPermission;
  const isGuarded = GUARDED_FOLDERS.some((folder) => key.startsWith(folder));
  for (const ancestor of ancestorsOf(key)) {
    if (isGuarded && ancestor === "/") return undefined;
    const place = places.get(ancestor);
    const permission = place?.child ?? place?.permission ?? undefined;
    if (permission !== undefined) return permission;
  }
  return undefined;
}

function parseWriterGroups(text: string | null): string[] {
  // JSON column, extracted by SQLite from a stored document.
  return keysOf(text === null ? null : (JSON.parse(text) as Json));
}

/** Permission keys in a stored record; null if it has none. */
export interface PlaceRow {
  readonly key: string;
  readonly permission: string | null;
  /** Permission of its descendants. */
  readonly child: string | null;
}

export interface PermissionRow {
  readonly key: string;
  readonly writers: string | null;
}

// A bare key in place of a reference still protects the record.
const OWN = "coalesce(r.document->>'$.permission.key', r.document->>'$.permission')";
const CHILD = "coalesce(r.document->>'$.child_permission.key', r.document->>'$.child_permission')";

const PLACE = `SELECT r.key, ${OWN} AS permission, ${CHILD} AS child
  FROM json_each(?1) e JOIN record r ON r.key = e.value`;
/** SQL of the stored keys that have a permission. */
const PLACES = `SELECT * FROM (${PLACE}) WHERE permission IS NOT NULL OR child IS NOT NULL`;
/** SQL of the permission records that the keys refer to. */
const WRITERS = `WITH place AS (${PLACE})
  SELECT key, document->'$.writers' AS writers FROM record
  WHERE type = '/type/permission' AND key IN (SELECT permission FROM place UNION SELECT child FROM place)`;

/** Returns the statements of `PermissionRows`, which determine a user's rights to the records of these keys. */
export function permissionStatements(
  user: string,
  keys: readonly string[],
): Record<keyof PermissionRows, Statement[]> {
  const places = [...new Set([...keys, ...keys.flatMap(ancestorsOf)])];
  return {
    places: overList(places, PLACES),
    permissions: overList(places, WRITERS),
    groups: [groupsStatement(user)],
  };
}

/** Returns the statement for the usergroups of a user, sorted by `key`; `members` must match exactly. */
export function groupsStatement(userKey: string): Statement {
  return {
    sql: `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
          WHERE p.name = 'members' AND p.value = ?1 AND r.type = '/type/usergroup' ORDER BY r.key`,
    values: [userKey],
  };
}

/** Reads a user's rights to the records of these keys. One round trip. */
export async function readRights(
  database: Database,
  user: string,
  keys: readonly string[],
): Promise<Permissions> {
  return permissionsOf(user, await batchGroups<PermissionRows>(database, permissionStatements(user, keys)));
}

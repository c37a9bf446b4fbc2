import { type Json, keyOf } from "../../catalog/record.ts";
import { ancestorsOf } from "./places.ts";
import type { GroupRow, PermissionRow, PlaceRow } from "./statements.ts";

/** The user who passes every check by name (Q99). */
export const ADMIN_USER = "/people/admin";
const ADMIN_GROUP = "/usergroup/admin";
const READ_ONLY_GROUP = "/usergroup/read-only";
/** Groups that everybody with a session belongs to, whatever their records say. */
const PSEUDO_GROUPS = ["/usergroup/everyone", "/usergroup/allusers"];
/** Folders whose records every logged-in user may write when no permission says otherwise. */
const OPEN_FOLDERS = ["/works/", "/books/", "/authors/", "/series/", "/lists/", "/tags/"];
/** Folders that decide who may do what: a permission for everything (`/`) does not open them (Q145). */
const GUARDED_FOLDERS = ["/usergroup/", "/permission/", "/type/", "/admin/"];

/** What was read of one writer and the keys to be written. */
export interface PermissionRows {
  readonly places: readonly PlaceRow[];
  readonly permissions: readonly PermissionRow[];
  readonly groups: readonly GroupRow[];
}

/** What one writer may do (records.md 10.2, with the defaults of Carrel). */
export interface Permissions {
  readonly isAdmin: boolean;
  mayWrite(key: string): boolean;
}

/** The rights of the service itself: it may do everything. */
export const SERVICE_PERMISSIONS: Permissions = { isAdmin: true, mayWrite: () => true };

/** The rights of a user; null is somebody without a session, who never writes. */
export function permissionsOf(author: string | null, rows: PermissionRows): Permissions {
  if (author === null) return { isAdmin: false, mayWrite: () => false };
  if (author === ADMIN_USER) return SERVICE_PERMISSIONS;
  const groups = new Set([...rows.groups.map(({ key }) => key), ...PSEUDO_GROUPS]);
  const isReadOnly = groups.has(READ_ONLY_GROUP);
  const isAdmin = groups.has(ADMIN_GROUP) && !isReadOnly;
  const places = new Map(rows.places.map((place) => [place.key, place]));
  const writers = new Map(rows.permissions.map((row) => [row.key, writerGroups(row.writers)]));
  const mayWrite = (key: string): boolean => {
    if (isReadOnly) return false;
    if (isAdmin) return true;
    const permission = permissionOf(key, places);
    if (permission === undefined) return OPEN_FOLDERS.some((folder) => key.startsWith(folder));
    return (writers.get(permission) ?? []).some((group) => groups.has(group));
  };
  return { isAdmin, mayWrite };
}

/** Key of the first permission found: the record's own, else the nearest one of what lies above it. */
function permissionOf(key: string, places: ReadonlyMap<string, PlaceRow>): string | undefined {
  const own = places.get(key)?.permission ?? undefined;
  if (own !== undefined) return own;
  const isGuarded = GUARDED_FOLDERS.some((folder) => key.startsWith(folder));
  for (const ancestor of ancestorsOf(key)) {
    if (isGuarded && ancestor === "/") return undefined;
    const place = places.get(ancestor);
    const permission = place?.child ?? place?.permission ?? undefined;
    if (permission !== undefined) return permission;
  }
  return undefined;
}

function writerGroups(text: string | null): string[] {
  // A column of JSON, made by SQLite out of a stored document.
  const writers: Json = text === null ? null : (JSON.parse(text) as Json);
  return Array.isArray(writers) ? writers.flatMap((writer) => keyOf(writer) ?? []) : [];
}

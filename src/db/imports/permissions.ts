import type { Json } from "../../catalog/record.ts";
import type { PreparedWrite } from "../../catalog/write/prepare.ts";
import { ImportFailure } from "../../import/failure.ts";
import { ADMIN_USER } from "../permissions/permissions.ts";
import { readRights } from "../permissions/read-rights.ts";
import type { Database } from "../statement.ts";
import type { Draft } from "./draft.ts";
import type { Reading } from "./read-found.ts";

const PERMISSIONS = ["permission", "child_permission"] as const;

// Q342: what nobody has protected is open to all who may import.
/**
 * Refuses to change what its writer may not, as the record store does. Who may import may write all records that nobody
 * has protected; only where one of these is, or a whole folder, more is read: one round trip.
 */
export async function checkPermission(
  database: Database,
  { writes }: Pick<Draft, "writes">,
  { reading, author }: { readonly reading: Reading; readonly author: string },
): Promise<void> {
  const isAny = reading.places.some(({ permission, child }) => permission !== null || child !== null);
  if (author === ADMIN_USER || (!isAny && !writes.some(isProtected))) return;
  const keys = writes.map(({ key }) => key);
  const { mayWrite } = await readRights(database, author, keys);
  const denied = writes.find(({ key }) => !mayWrite(key));
  if (denied === undefined) return;
  throw new ImportFailure("bad-request", "permission_denied", whatIsDenied(denied));
}

function isProtected({ before }: Pick<PreparedWrite, "before">): boolean {
  return PERMISSIONS.some((name) => before?.document[name] !== undefined);
}

/** Nobody has seen the keys of new records. */
function whatIsDenied({ key, before }: PreparedWrite): Readonly<Record<string, Json>> {
  if (before === undefined) return { message: "Permission denied to create records here" };
  return { message: `Permission denied to modify '${key}'`, at: { key } };
}

import { parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, keysOf } from "../../catalog/record.ts";
import { readActiveKeys } from "../../db/accounts/read.ts";
import { ADMIN_GROUP, ADMIN_USER, READ_ONLY_GROUP } from "../../catalog/roles.ts";
import { readRecords } from "../../db/records/read.ts";
import type { Stores } from "../http/bindings.ts";
import { type CarrelError, badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";

/**
 * Does something to somebody that ends his being an administrator, but never to the last one: 400 (Q162). Two who do
 * it to each other at the same time have both seen two; whoever then finds none takes his step back.
 */
export async function unlessLastAdmin(
  { stores }: Pick<RequestContext, "stores">,
  person: string,
  { change, undo }: Readonly<Record<"change" | "undo", () => Promise<void>>>,
): Promise<void> {
  const admins = await actingAdmins(stores);
  if (!admins.has(person)) return change();
  if (admins.size === 1) throw lastAdmin(person);
  await change();
  if ((await actingAdmins(stores)).size > 0) return;
  await undo();
  throw lastAdmin(person);
}

/** Users who can administrate: members of the group, and the one with the name, whose accounts are active. */
async function actingAdmins({ catalog, patrons }: Stores): Promise<Set<string>> {
  const rows = await readRecords(catalog.withSession("first-primary"), [ADMIN_GROUP, READ_ONLY_GROUP]);
  const members = new Map(rows.map(({ key, document }) => [key, membersOf(parseDocument(document))]));
  const readers = new Set(members.get(READ_ONLY_GROUP));
  const named = [...(members.get(ADMIN_GROUP) ?? []), ADMIN_USER].filter((key) => !readers.has(key));
  return readActiveKeys(patrons, named);
}

/** Keys of the members of a group, as far as they are references. */
export function membersOf({ members }: CatalogRecord): string[] {
  return keysOf(members);
}

function lastAdmin(key: string): CarrelError {
  return badData(`${key} is the last administrator`, { key });
}

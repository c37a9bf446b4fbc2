import { parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, keysOf } from "../../catalog/record.ts";
import { readActiveKeys } from "../../db/accounts/read-accounts.ts";
import { ADMIN_GROUP, ADMIN_USER, READ_ONLY_GROUP } from "../../catalog/roles.ts";
import { readRecords } from "../../db/records/records.ts";
import type { Stores } from "../http/bindings.ts";
import { type Failure, failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";

/**
 * Runs a change that ends a person's role as administrator, but throws 400 for the last one (Q162). Two administrators
 * who remove each other at the same time both see two of them; the one who then finds none undoes the change.
 */
export async function unlessLastAdmin(
  { stores }: Pick<RequestContext, "stores">,
  person: string,
  { change, undo }: Record<"change" | "undo", () => Promise<void>>,
): Promise<void> {
  const admins = await readActiveAdmins(stores);
  if (!admins.has(person)) return change();
  if (admins.size === 1) throw lastAdminError(person);
  await change();
  if ((await readActiveAdmins(stores)).size > 0) return;
  await undo();
  throw lastAdminError(person);
}

/** Reads the keys of active administrators: members of the group, and the user with the admin name. */
async function readActiveAdmins({ catalog, patrons }: Stores): Promise<Set<string>> {
  const rows = await readRecords(catalog.withSession("first-primary"), [ADMIN_GROUP, READ_ONLY_GROUP]);
  const members = new Map(rows.map(({ key, document }) => [key, groupMembers(parseDocument(document))]));
  const readers = new Set(members.get(READ_ONLY_GROUP));
  const candidates = [...(members.get(ADMIN_GROUP) ?? []), ADMIN_USER].filter((key) => !readers.has(key));
  return readActiveKeys(patrons, candidates);
}

export function groupMembers({ members }: CatalogRecord): string[] {
  return keysOf(members);
}

function lastAdminError(key: string): Failure {
  return failure("bad_data.last_admin", { account: key }, { members: { key } });
}

import { readRecord } from "../../db/records/read-record.ts";
import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { hasRole } from "../sessions/access.ts";
import type { Actor } from "../sessions/actor.ts";
import { listDenied } from "./list-errors.ts";

/** `/people/<username>` of a list below it; undefined for series and lists of the community. */
export function ownerOfList(key: string): string | undefined {
  return /^(\/people\/[^/]+)\/lists\//.exec(key)?.[1];
}

/**
 * Who may make lists below a patron: 404 when there is no such patron, then 403 for others than him and administrators
 * (patrons.md 14.5). Returns the key of the patron.
 */
export async function requireOwner(context: RequestContext, username: string): Promise<string> {
  const key = `/people/${username}`;
  const row = await readRecord(context.stores.catalog, key);
  if (row?.type !== "/type/user") throw notFound();
  await requireListWriter(context, key);
  return key;
}

/** Refuses who may not write lists of this owner; undefined is the community, of which everybody is who has a session. */
export async function requireListWriter(context: RequestContext, owner: string | undefined): Promise<Actor> {
  const actor = await context.actor();
  if (!mayWriteLists(actor, owner)) throw listDenied();
  return actor;
}

/** True for owners and administrators (patrons.md 15); whoever may read only may nothing. */
export function mayWriteLists(actor: Actor, owner: string | undefined): boolean {
  if (actor.key === null || actor.status !== "active") return false;
  if (actor.groups.has("/usergroup/read-only")) return false;
  return owner === undefined || actor.key === owner || hasRole(actor, "admin");
}

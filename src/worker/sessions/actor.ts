import { findAccount } from "../../db/patrons/find-account.ts";
import { readGroups } from "../../db/records/read-groups.ts";
import type { RequestContext } from "../context.ts";
import type { Session } from "./session.ts";

/** Who makes a request, and what he is. */
export interface Actor {
  /** `/people/<username>`; null for somebody without a session. */
  readonly key: string | null;
  readonly username: string | null;
  readonly status: "anonymous" | "pending" | "active" | "blocked";
  readonly bot: boolean;
  /** Keys of the usergroups that he is a member of, such as `/usergroup/admin`. */
  readonly groups: ReadonlySet<string>;
  readonly email: string | null;
}

const NOBODY: Actor = {
  key: null,
  username: null,
  status: "anonymous",
  bot: false,
  groups: new Set(),
  email: null,
};

/** The user who is an administrator by name, whatever the group says (records.md 10.2). */
const ADMIN_BY_NAME = "/people/admin";

/** Reads account and groups of the session's patron from the primaries: roles decide what is allowed now. */
export async function readActor(context: RequestContext): Promise<Actor> {
  const session = await context.session();
  return session === undefined ? NOBODY : actorOf(context, session);
}

/** The same of somebody who has proved who he is. */
export async function actorOf(
  { stores: { patrons, catalog } }: Pick<RequestContext, "stores">,
  { username, key }: Pick<Session, "username" | "key">,
): Promise<Actor> {
  const [account, groups] = await Promise.all([findAccount(patrons, { username }), readGroups(catalog, key)]);
  if (account === undefined || account.status === "blocked") return NOBODY;
  const { status, bot, email } = account;
  const all = key === ADMIN_BY_NAME ? [...groups, "/usergroup/admin"] : groups;
  return { key, username, status, bot, email, groups: new Set(all) };
}

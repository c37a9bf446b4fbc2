import { createHash } from "node:crypto";
import { datetimeText } from "../../catalog/datetime.ts";
import { countEdits, readChanges } from "../../db/history/changes.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import { readGroups } from "../../db/records/users.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { type SeenChange, seenChange } from "./changes.ts";

/** Changes of somebody that are shown with the account. */
const SHOWN_CHANGES_MAX = 20;
/** Characters of a session's hash: enough to tell sessions apart. */
const SESSION_HASH_LENGTH = 8;
const USERGROUP = "/usergroup/";

/** An account as administrators see it: nothing in it opens anything. Times are naive UTC. */
export interface PersonView extends SeenAccount {
  readonly subject: string | null;
  readonly special_access: boolean;
  readonly has_records: boolean;
  /** Names of the usergroups, such as `admin`. */
  readonly groups: readonly string[];
  readonly sessions: readonly SeenSession[];
  /** Counted up to `COUNTED_EDITS_MAX`. */
  readonly edits: number;
  /** The newest ones. */
  readonly changes: readonly SeenChange[];
}

/** What lists of accounts show of one. */
export interface SeenAccount {
  readonly username: string;
  readonly key: string;
  readonly displayname: string;
  readonly email: string;
  readonly status: FoundAccount["status"];
  readonly bot: boolean;
  readonly tags: readonly string[];
  readonly created: string;
  readonly last_login: string | null;
}

interface SeenSession {
  /** Tells sessions apart, and is no id. */
  readonly hash: string;
  readonly opened: string;
  readonly expires: string;
  readonly seen: string;
  readonly remembered: boolean;
  readonly client: string;
}

/** The account with this name, whatever its case; 404 when there is none. */
export async function accountOf({ stores }: RequestContext, username: string): Promise<FoundAccount> {
  const account = await findAccount(stores.patrons, { username });
  if (account === undefined) throw notFound();
  return account;
}

/** What lists show of an account. */
export function seenAccount(account: FoundAccount): SeenAccount {
  const { username, displayname, email, status, bot, tags, created, lastLogin } = account;
  const key = `/people/${username}`;
  return { username, key, displayname, email, status, bot, tags, created, last_login: lastLogin };
}

/** Everything about one account. */
export async function personView(
  { stores, now }: RequestContext,
  account: FoundAccount,
): Promise<PersonView> {
  const { catalog } = stores;
  const key = `/people/${account.username}`;
  const [groups, sessions, edits, changes] = await Promise.all([
    readGroups(catalog, key),
    patronOf(stores, account.username).sessions(now),
    countEdits(catalog, key),
    readChanges(catalog, { author: key }, { limit: SHOWN_CHANGES_MAX, offset: 0 }),
  ]);
  return {
    ...seenAccount(account),
    subject: account.subject,
    special_access: account.specialAccess,
    has_records: account.hasRecords,
    groups: groups.flatMap((group) => (group.startsWith(USERGROUP) ? [group.slice(USERGROUP.length)] : [])),
    sessions: sessions.map(({ id, opened, expires, seen, remembered, client }) => ({
      hash: shortHash(id),
      opened: datetimeText(opened),
      expires: datetimeText(expires),
      seen: datetimeText(seen),
      remembered,
      client,
    })),
    edits,
    changes: changes.map(seenChange),
  };
}

function shortHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, SESSION_HASH_LENGTH);
}

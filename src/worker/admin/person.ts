import { createHash } from "node:crypto";
import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { groupName } from "../../catalog/roles.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { countEdits, readChanges } from "../../db/history/changes.ts";
import { readGroups } from "../../db/records/users.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { changeSchema, seenChange } from "./changes.ts";

/** Changes shown with an account. */
const SHOWN_CHANGES_MAX = 20;
/** Characters of a session's hash: enough to distinguish sessions. */
const SESSION_HASH_LENGTH = 8;

export const accountSchema = z.object({
  username: z.string(),
  key: z.string(),
  displayname: z.string(),
  email: z.string(),
  status: z.enum(["pending", "active", "blocked"]),
  bot: z.boolean(),
  tags: z.array(z.string()),
  created: z.string(),
  last_login: z.string().nullable(),
});
type SeenAccount = z.infer<typeof accountSchema>;

/** Labels of the account statuses on the pages. */
export const STATUS_WORDS = {
  pending: "admin.status_pending",
  active: "admin.status_active",
  blocked: "admin.status_blocked",
} as const;

const session = z.object({
  hash: z.string().describe("Tells sessions apart, and opens none"),
  opened: z.string(),
  expires: z.string(),
  seen: z.string(),
  remembered: z.boolean(),
  client: z.string(),
});

/** Account as shown to administrators; contains no secret that gives access. Times are naive UTC. */
export const personSchema = accountSchema.extend({
  subject: z.string().nullable().describe("Who this is at the identity provider"),
  special_access: z.boolean(),
  has_records: z.boolean(),
  groups: z.array(z.string()),
  sessions: z.array(session),
  edits: z.int().describe("Counted up to 10,000"),
  changes: z.array(changeSchema).describe("The newest ones"),
});
export type PersonView = z.infer<typeof personSchema>;

/** Returns the account of a username in any case; throws 404 if there is none. */
export async function accountOf({ stores }: RequestContext, username: string): Promise<FoundAccount> {
  const account = await findAccount(stores.patrons, { username });
  if (account === undefined) throw notFound();
  return account;
}

/** Returns the members of an account that lists show. */
export function seenAccount(account: FoundAccount): SeenAccount {
  const { username, displayname, email, status, bot, created, lastLogin } = account;
  const key = `/people/${username}`;
  const tags = [...account.tags];
  return { username, key, displayname, email, status, bot, tags, created, last_login: lastLogin };
}

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
    groups: groups.flatMap((group) => groupName(group) ?? []),
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

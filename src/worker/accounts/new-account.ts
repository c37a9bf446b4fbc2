import { accountRecords } from "../../catalog/accounts.ts";
import { setHasRecords } from "../../db/accounts/write.ts";
import type { RequestContext } from "../http/operation.ts";
import type { LoggedIn } from "./login.ts";
import { patronOf } from "../http/session.ts";
import { finish, trySave } from "../history/save.ts";
import { NEW_PREFERENCES } from "./preferences.ts";

const COMMENT = "Created new account.";

/**
 * Makes what a new account lacks: preferences, and its three records as one change (patrons.md 3.1). If this breaks off,
 * the next login makes the rest; if two logins do it at a time, the records are made once.
 */
export async function makeAccountRecords(context: RequestContext, login: LoggedIn): Promise<void> {
  const { username, displayname, created } = login;
  if (!created) return;
  await patronOf(context.stores, username).addPreferences(NEW_PREFERENCES);
  const documents = accountRecords(username, displayname);
  const result = await trySave(context, {
    documents,
    kind: "new-account",
    comment: COMMENT,
    author: `/people/${username}`,
    authority: "service",
    expected: Object.fromEntries(documents.map(({ key }) => [String(key), 0])),
  });
  // A conflict: they are there, from an attempt that broke off, another login, or a dump.
  if (result.ok || result.failures[0]?.error !== "conflict") finish(context, result);
  await setHasRecords(context.stores.patrons, username);
}

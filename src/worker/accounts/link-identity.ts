import { withoutControls } from "../../catalog/storable-text.ts";
import { suggestUsernames } from "../../catalog/accounts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type LinkFailure, linkIdentity } from "../../db/accounts/identities.ts";
import { noteLogin } from "../../db/accounts/write-accounts.ts";
import { readRecordedNames } from "../../db/records/users.ts";
import { storePatronKeys } from "../lending/service/patron-keys.ts";
import { logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { randomNumber } from "./identity-provider.ts";
import type { AuthReason, AuthResult } from "./identity.ts";

export type Login =
  | {
      readonly ok: true;
      readonly username: string;
      readonly displayname: string;
      /** True until the catalog records and preferences of the account have been created (`hasRecords`). */
      readonly created: boolean;
      readonly specialAccess: boolean;
    }
  | { ok: false; reason: AuthReason };

const FAILURES: Readonly<Record<LinkFailure, AuthReason>> = {
  // Q140
  unverified: "ia_account_not_verified",
  "no-username": "max_retries_exceeded",
};

/** Finds, links or creates the account of a verified identity, and records the login; opens no session. */
export async function completeLogin(
  context: Pick<RequestContext, "stores" | "now" | "settings" | "requestId">,
  result: AuthResult,
): Promise<Login> {
  if (!result.ok) return result;
  const { stores, settings, requestId } = context;
  const { identity, lendingCredential: keys } = result;
  const displayname = withoutControls(identity.screenName);
  const { subject, email, specialAccess, account: known } = identity;
  if (identity.locked) return { ok: false, reason: "account_locked" };
  const now = formatDatetime(context.now);
  let account: Awaited<ReturnType<typeof noteLogin | typeof linkIdentity>>;
  if (known === undefined) {
    const options = { random: randomNumber, prefix: settings.RECORD_PREFIX };
    const names = suggestUsernames(identity.preferredName, options);
    // Q143: a new patron must not get the records of a dump, nor the rights that go with them.
    const recorded = await readRecordedNames(stores.catalog.withSession("first-primary"), names);
    const usernames = names.filter((name) => !recorded.has(name.toLowerCase()));
    const isVerified = identity.emailVerified;
    const linked = { subject, email, isVerified, displayname, specialAccess, usernames, now };
    account = await linkIdentity(stores.patrons, linked);
    if (typeof account === "string") return { ok: false, reason: FAILURES[account] };
    if (account.event === "moved") logLine("error", "identity-moved", { requestId, user: account.username });
  } else {
    account = await noteLogin(stores.patrons, known, now);
  }
  if (account === undefined) return { ok: false, reason: "account_not_found" };
  if (account.status === "blocked") return { ok: false, reason: "account_blocked" };
  if (account.status !== "active") return { ok: false, reason: "account_not_verified" };
  const { username, hasRecords } = account;
  if (keys !== undefined && settings.LENDING === "http") await storePatronKeys(context, username, keys);
  return { ok: true, username, displayname, created: !hasRecords, specialAccess };
}

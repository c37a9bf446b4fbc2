import { withoutControls } from "../../catalog/storable-text.ts";
import { suggestUsernames } from "../../catalog/accounts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type LinkFailure, linkIdentity } from "../../db/accounts/identities.ts";
import { noteLogin } from "../../db/accounts/write-accounts.ts";
import { readRecordedNames } from "../../db/records/users.ts";
import { logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { randomNumber } from "./identity-provider.ts";
import type { AuthReason, Identity } from "./identity.ts";

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

type LinkContext = Pick<RequestContext, "stores" | "now" | "settings" | "requestId">;

const FAILURES: Readonly<Record<LinkFailure, AuthReason>> = {
  // Q140
  unverified: "ia_account_not_verified",
  "no-username": "max_retries_exceeded",
};

/** Finds, links or creates the account of an identity, and records the login; opens no session. */
export async function completeLogin(context: LinkContext, received: Identity): Promise<Login> {
  const identity = { ...received, screenName: withoutControls(received.screenName) };
  if (identity.locked) return { ok: false, reason: "account_locked" };
  const account =
    identity.account === undefined
      ? await linkAccount(context, identity)
      : await noteLogin(context.stores.patrons, identity.account, formatDatetime(context.now));
  if (account === undefined) return { ok: false, reason: "account_not_found" };
  if (typeof account === "string") return { ok: false, reason: FAILURES[account] };
  if (account.status === "blocked") return { ok: false, reason: "account_blocked" };
  if (account.status !== "active") return { ok: false, reason: "account_not_verified" };
  const { screenName: displayname, specialAccess } = identity;
  const { username, hasRecords } = account;
  return { ok: true, username, displayname, created: !hasRecords, specialAccess };
}

async function linkAccount({ stores, now, settings, requestId }: LinkContext, identity: Identity) {
  const { subject, email, emailVerified, screenName, specialAccess, preferredName } = identity;
  const names = suggestUsernames(preferredName, { random: randomNumber, prefix: settings.RECORD_PREFIX });
  // Q143: a new patron must not get the records of a dump, nor the rights that go with them.
  const recorded = await readRecordedNames(stores.catalog.withSession("first-primary"), names);
  const linked = await linkIdentity(stores.patrons, {
    subject,
    email,
    isVerified: emailVerified,
    displayname: screenName,
    specialAccess,
    usernames: names.filter((name) => !recorded.has(name.toLowerCase())),
    now: formatDatetime(now),
  });
  if (typeof linked !== "string" && linked.event === "moved") {
    logLine("error", "identity-moved", { requestId, user: linked.username });
  }
  return linked;
}

import { usernameCandidates } from "../../catalog/accounts.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import { type LinkFailure, type LinkedAccount, linkIdentity } from "../../db/accounts/identities.ts";
import { noteLogin } from "../../db/accounts/write.ts";
import { readRecordedNames } from "../../db/records/users.ts";
import { logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { randomNumber } from "./identity-provider.ts";
import type { AuthReason, Identity } from "./identity.ts";

/** What became of a login of somebody whom the provider knows. */
export type Login =
  | {
      readonly ok: true;
      readonly username: string;
      readonly displayname: string;
      /**
       * True when the account is new: its catalog records and preferences are still to be made. True again at the next
       * login, until `hasRecords` is set.
       */
      readonly created: boolean;
      readonly specialAccess: boolean;
    }
  | { readonly ok: false; readonly reason: AuthReason };

type LoginContext = Pick<RequestContext, "stores" | "now" | "settings" | "requestId">;

const FAILURES: Readonly<Record<LinkFailure, AuthReason>> = {
  // Q140
  unverified: "ia_account_not_verified",
  "no-username": "max_retries_exceeded",
};

/** Finds, links or creates the account of an identity, and notes the login; it opens no session. */
export async function completeLogin(context: LoginContext, identity: Identity): Promise<Login> {
  if (identity.locked) return { ok: false, reason: "account_locked" };
  const found =
    identity.account === undefined
      ? await linkedAccount(context, identity)
      : await noteLogin(context.stores.patrons, identity.account, datetimeText(context.now));
  if (found === undefined) return { ok: false, reason: "account_not_found" };
  if (typeof found === "string") return { ok: false, reason: FAILURES[found] };
  if (found.status === "blocked") return { ok: false, reason: "account_blocked" };
  if (found.status !== "active") return { ok: false, reason: "account_not_verified" };
  const { screenName: displayname, specialAccess } = identity;
  return { ok: true, username: found.username, displayname, created: !found.hasRecords, specialAccess };
}

async function linkedAccount(
  { stores, now, settings, requestId }: LoginContext,
  identity: Identity,
): Promise<LinkedAccount | LinkFailure> {
  const { subject, email, emailVerified, screenName, specialAccess, wish } = identity;
  const names = usernameCandidates(wish, { random: randomNumber, prefix: settings.RECORD_PREFIX });
  // Q143: records of a dump, and what they may do, are nobody else's.
  const recorded = await readRecordedNames(stores.catalog.withSession("first-primary"), names);
  const linked = await linkIdentity(stores.patrons, {
    subject,
    email,
    isVerified: emailVerified,
    displayname: screenName,
    specialAccess,
    usernames: names.filter((name) => !recorded.has(name.toLowerCase())),
    now: datetimeText(now),
  });
  if (typeof linked !== "string" && linked.event === "moved") {
    logLine("error", "identity-moved", { requestId, user: linked.username });
  }
  return linked;
}

import { type UsernameProblem, USERNAME_LENGTH, isEmail, checkUsername } from "../../catalog/accounts.ts";
import type { Text } from "../../catalog/texts.ts";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { isSpamAddress } from "../../catalog/spam.ts";
import { isBeingRemoved } from "../../db/patrons/patron-jobs.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { isReplaceable } from "../../db/accounts/registrations.ts";
import { LINK_SECONDS } from "../../db/accounts/write-secrets.ts";
import { findUserKey } from "../../db/records/users.ts";
import { readRecord } from "../../db/records/records.ts";
import { spamRulesOf } from "../platform/spam-words.ts";
import type { FailureKey } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { identityProvider } from "./identity-provider.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };
import { PASSWORD_LENGTH } from "./password-hash.ts";
import { type Problem, missingField } from "./account-form.ts";
import { EMAIL_REGISTERED, problemOf } from "./login-failures.ts";

const USERNAME_TEXTS: Readonly<Record<UsernameProblem, Text>> = {
  pattern: { key: "accounts.username_pattern", values: USERNAME_LENGTH },
  "record-id": { key: "accounts.username_record" },
  reserved: { key: "accounts.username_reserved" },
};

/** Passwords that are long enough among the 10,000 most frequent ones (docs/decisions/0034). */
const COMMON_PASSWORDS = new Set(commonPasswords.split(" "));

/** Hosts whose mailboxes anyone can read. */
const OPEN_HOSTS = new Set(["dispostable.com"]);

/** Returns the problem with a username for a new account; undefined if it is available. `email`: "" if unknown. */
export async function findUsernameProblem(
  context: RequestContext,
  username: string,
  email = "",
): Promise<Problem | undefined> {
  const flaw = checkUsername(username, context.settings.RECORD_PREFIX);
  if (flaw !== undefined) return { field: "username", code: "bad_username", text: USERNAME_TEXTS[flaw] };
  const { patrons, catalog } = context.stores;
  const primary = catalog.withSession("first-primary");
  // Records can exist without an account, from a dump or a removed account. A new patron must not get them.
  const holders = await Promise.all([
    findHolder(context, { username }, email),
    findUserKey(primary, username),
    readRecord(primary, `/people/${username}`),
    isBeingRemoved(patrons, username),
  ]);
  if (holders.every((holder) => holder === undefined || holder === false)) return undefined;
  return problemOf("username_registered");
}

/** Returns the account of a name unless it gives way to a registration with this address. */
async function findHolder(
  { stores, now }: RequestContext,
  name: { username: string } | { email: string },
  email: string,
): Promise<FoundAccount | undefined> {
  const account = await findAccount(stores.patrons, name);
  const since = formatDatetime(now - LINK_SECONDS.verify * 1000);
  return account === undefined || isReplaceable(account, { email, since }) ? undefined : account;
}

export async function findEmailProblem(context: RequestContext, email: string): Promise<Problem | undefined> {
  const address = email.trim();
  const host = address.slice(address.indexOf("@") + 1).toLowerCase();
  const isRefused =
    !isEmail(address) || OPEN_HOSTS.has(host) || isSpamAddress(address, await spamRulesOf(context));
  if (isRefused) return problemOf("bad_email");
  const isKnown =
    (await findHolder(context, { email: address }, address)) !== undefined ||
    (context.settings.IDENTITY_PROVIDER !== "local" &&
      (await identityProvider(context).lookup({ email: address })) !== null);
  return isKnown ? problemOf(EMAIL_REGISTERED) : undefined;
}

/** Returns the problem with a new password; undefined if there is none. Remote providers have rules of their own. */
export function newPasswordProblem(
  { settings }: Pick<RequestContext, "settings">,
  password: string,
  { username, field = "password" }: { username: string; field?: string },
): Problem<FailureKey> | undefined {
  if (password === "") return missingField(field);
  if (settings.IDENTITY_PROVIDER !== "local") return undefined;
  const refusal = (text: Text<FailureKey>) => ({ field, code: "bad_password", text });
  if (password.length < PASSWORD_LENGTH.min || password.length > PASSWORD_LENGTH.max) {
    return refusal({ key: "bad_data.password_length", values: PASSWORD_LENGTH });
  }
  const plain = toNormalForm(password, "NFKC").toLowerCase();
  if (COMMON_PASSWORDS.has(plain)) return refusal({ key: "bad_data.password_common" });
  const containsName = username !== "" && plain.includes(username.toLowerCase());
  return containsName ? refusal({ key: "bad_data.password_name" }) : undefined;
}

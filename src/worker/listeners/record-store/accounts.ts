import { EMAIL_LENGTH_MAX, isEmail, usernameProblem } from "../../../catalog/accounts.ts";
import { datetimeText } from "../../../catalog/datetime.ts";
import { type Profile, findAccount, readProfile } from "../../../db/accounts/read-accounts.ts";
import { createAccount } from "../../../db/accounts/registrations.ts";
import { setAccount } from "../../../db/accounts/write-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { findUserKey } from "../../../db/records/users.ts";
import { hashPassword } from "../../accounts/password-hash.ts";
import { doToAccount } from "../../admin/account-actions.ts";
import { type CarrelError, badData } from "../../http/errors.ts";
import { accountDocument } from "./views.ts";
import type { StoreCall } from "./call.ts";

/** Longest profile, as JSON, in UTF-16 units. */
const PROFILE_LENGTH = 10_000;
/** Longest password that a service may give an account, in characters: comparisons accept longer ones. */
const SERVICE_PASSWORD_LENGTH = 128;

/** `GET /<site>/account/find`: the account with a `username` or an `email`; null if there is none. */
export async function findByNameOrEmail({ patrons, optional }: StoreCall) {
  const [username, email] = [optional("username"), optional("email")];
  if (username === undefined && email === undefined) throw badData("Missing argument: 'username'");
  const found = await findAccount(patrons, username === undefined ? { email: email ?? "" } : { username });
  return found === undefined ? null : accountDocument(found, await readProfile(patrons, found.username));
}

/** `GET /<site>/account/find_user_by_email`: a username, or null. */
export async function usernameOfEmail({ patrons, argument }: StoreCall) {
  return (await findAccount(patrons, { email: argument("email") }))?.username ?? null;
}

/** `POST /<site>/account/register`: creates an account that waits for `activate`; other fields are its profile. */
export async function register(call: StoreCall) {
  const { context, patrons, settings } = call;
  const [username, password] = [call.argument("username"), checkedPassword(call.argument("password"))];
  const email = call.argument("email").trim();
  const { username: _, password: __, email: ___, ...profile } = call.arguments();
  const problem = usernameProblem(username, settings.RECORD_PREFIX);
  if (problem !== undefined) throw badData(`Bad username: '${username}'`);
  if (email.length > EMAIL_LENGTH_MAX || !isEmail(email)) throw badData(`Bad e-mail address: '${email}'`);
  checkProfile(profile);
  if (await hasRecords(call, username)) throw badData(`User already exists: ${username}`);
  const created = await createAccount(patrons, {
    username,
    email,
    displayname: profile["displayname"] ?? username,
    passwordHash: await hashPassword(password),
    status: "pending",
    created: datetimeText(context.now),
  });
  if (!created.ok) {
    throw badData(
      created.taken.includes("username")
        ? `User already exists: ${username}`
        : `Email is already used: ${email}`,
    );
  }
  await setAccount(patrons, username, { data: profile });
  return { activation_code: null, email };
}

/**
 * Returns true if records exist under a username: those of a removed account, or of a dump, must not pass to another
 * account.
 */
async function hasRecords({ database }: StoreCall, username: string): Promise<boolean> {
  const [user, record] = await Promise.all([
    findUserKey(database, username),
    readRecord(database, `/people/${username}`),
  ]);
  return user !== undefined || record !== undefined;
}

/** `POST /<site>/account/activate`: creates the account's records, and lets its owner log in. */
export async function activate({ context, patrons, argument }: StoreCall) {
  const account = await findAccount(patrons, { username: argument("username") });
  if (account === undefined) throw noAccount("Account activation failed.");
  await doToAccount(context, account, { action: "activate_account" });
  return { ok: "true" };
}

/** Returns the 400 for a missing account. */
export function noAccount(message: string): CarrelError {
  return badData(message, { error_code: "account_not_found" });
}

/** Checks a password that a service gives an account; the main site keeps the rules for patrons (Q176). */
export function checkedPassword(password: string): string {
  if (password !== "" && password.length <= SERVICE_PASSWORD_LENGTH) return password;
  throw badData(`Bad password: it has 1 to ${SERVICE_PASSWORD_LENGTH} characters`);
}

/** Throws a 400 for a profile that is too long. */
export function checkProfile(profile: Profile): void {
  if (JSON.stringify(profile).length > PROFILE_LENGTH) {
    throw badData(`the profile is longer than ${PROFILE_LENGTH} characters`);
  }
}

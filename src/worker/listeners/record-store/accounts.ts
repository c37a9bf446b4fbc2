import { type FoundAccount, findAccount } from "../../../db/patrons/find-account.ts";
import { badData } from "../../errors.ts";
import type { StoreCall } from "../record-store.ts";

/** `GET /<site>/account/find`: the account with a `username` or an `email`; null when there is none. */
export async function findByNameOrEmail({ patrons, optional }: StoreCall) {
  const [username, email] = [optional("username"), optional("email")];
  if (username !== undefined) return accountDocument(await findAccount(patrons, { username }));
  if (email !== undefined) return accountDocument(await findAccount(patrons, { email }));
  throw badData("Missing argument: 'username'");
}

/** `GET /<site>/account/find_user_by_email`: a username, or null. */
export async function usernameOfEmail({ patrons, argument }: StoreCall) {
  return (await findAccount(patrons, { email: argument("email") }))?.username ?? null;
}

/** An account as the record store has always shown it, but for its password (records.md 8.5). */
function accountDocument(found: FoundAccount | undefined) {
  if (found === undefined) return null;
  const { username, usernameFolded, email, status, bot, created } = found;
  const key = `account/${username}`;
  return {
    _key: key,
    type: "account",
    username,
    lusername: usernameFolded,
    email,
    status,
    bot,
    created_on: created,
  };
}

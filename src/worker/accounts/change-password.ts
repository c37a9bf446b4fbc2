import { deleteLink, findLink, takeLink } from "../../db/accounts/links.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { activatePending, updatePassword } from "../../db/accounts/write.ts";
import type { RequestContext } from "../http/operation.ts";
import { mailerOf } from "../platform/mail.ts";
import { patronOf } from "../http/session.ts";
import { missingField, newPasswordProblem } from "./availability.ts";
import { CODE_FAILURES, attempt, byAddress } from "./budgets.ts";
import { passwordChangedLetter } from "./letters.ts";
import { mailAfterwards } from "./mail-link.ts";
import { WRONG_PASSWORD, provenPassword } from "./own-password.ts";
import { hashPassword } from "./password.ts";
import type { Problem } from "./problems.ts";

/** A password for another. */
export interface PasswordWish {
  readonly password: string;
  readonly newPassword: string;
}

/**
 * Changes the password of the one whose session it is, and ends all his other sessions. Returns what is wrong; throws
 * a 429 after too many wrong passwords.
 */
export async function changePassword(
  context: RequestContext,
  { username, id }: { readonly username: string; readonly id: string },
  { password, newPassword }: PasswordWish,
): Promise<readonly Problem[]> {
  const problems = [
    password === "" ? missingField("password") : undefined,
    newPassword === ""
      ? missingField("new_password")
      : newPasswordProblem(context, newPassword, "new_password"),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  const instead = await provenPassword(context, { username, password });
  if (instead === undefined) return [WRONG_PASSWORD];
  const passwordHash = await hashPassword(newPassword);
  // Somebody who has changed it in the meantime has the word.
  if (!(await updatePassword(context.stores.patrons, { username, passwordHash, instead }))) {
    return [WRONG_PASSWORD];
  }
  await passwordChanged(context, username, id);
  return [];
}

/** What follows from a new password: sessions and links that came before are void. */
async function passwordChanged(context: RequestContext, username: string, except = ""): Promise<void> {
  const { stores, sources } = context;
  await patronOf(stores, username).closeSessions(except, sources.now());
  await deleteLink(stores.patrons, username, "password");
  const account = await findAccount(stores.patrons, { username });
  if (account === undefined) return;
  const letter = passwordChangedLetter({ to: account.email, username: account.username });
  mailAfterwards(context, () => mailerOf(context).send(letter));
}

/** True when a code out of a mail can still set a password; the code stays good. */
export async function isResetCode(context: RequestContext, code: string): Promise<boolean> {
  const { stores, now } = context;
  return tried(context, async () => {
    const link = await findLink(stores.patrons, { code, purpose: "password", now });
    return link !== undefined;
  });
}

/** Sets a password by a code out of a mail, which is used up. False when the code is not good (any more). */
export async function resetPassword(
  context: RequestContext,
  code: string,
  password: string,
): Promise<boolean> {
  const { stores, now } = context;
  const { patrons } = stores;
  if (!(await isResetCode(context, code))) return false;
  const passwordHash = await hashPassword(password);
  const link = await takeLink(patrons, { code, purpose: "password", now });
  const account = link === undefined ? undefined : await findAccount(patrons, link);
  // A mail to an address that is no longer his must not open the account, and none opens a blocked one.
  if (account === undefined || account.email !== link?.email || account.status === "blocked") return false;
  await updatePassword(patrons, { username: account.username, passwordHash });
  // Who reads the mail has the address: that is what the first mail was to find out.
  await activatePending(patrons, account.username);
  await passwordChanged(context, account.username);
  return true;
}

/** Looks for a code; those that are none are counted by address. */
function tried(context: RequestContext, look: () => Promise<boolean>): Promise<boolean> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const value = await look();
    return { value, isCounted: !value };
  });
}

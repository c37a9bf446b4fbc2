import { type UsernameProblem, USERNAME_LENGTH, isEmail, usernameProblem } from "../../catalog/accounts.ts";
import { isSpamAddress } from "../../catalog/spam.ts";
import { isBeingRemoved } from "../../db/patrons/read-jobs.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { findUserKey } from "../../db/records/users.ts";
import { readRecord } from "../../db/records/read.ts";
import { spamRulesOf } from "../platform/spam-words.ts";
import type { RequestContext } from "../http/operation.ts";
import { identityProvider } from "./identity-provider.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";
import type { Problem } from "./account-form.ts";

const USERNAME_MESSAGES: Readonly<Record<UsernameProblem, string>> = {
  pattern: `A username has ${USERNAME_LENGTH.min} to ${USERNAME_LENGTH.max} letters, digits, hyphens or underscores.`,
  "record-id": "This username looks like the number of a record.",
  reserved: "This username is reserved.",
};

/** What people read of an address and of a username that somebody has. */
export const EMAIL_TAKEN = "There is an account with this e-mail address.";
export const USERNAME_TAKEN = "This username is taken.";

/** Hosts of addresses that anybody can read. */
const OPEN_HOSTS = new Set(["dispostable.com"]);

/** What is wrong with a username for a new account; undefined when it can be had. */
export async function newUsernameProblem(
  context: RequestContext,
  username: string,
): Promise<Problem | undefined> {
  const flaw = usernameProblem(username, context.settings.RECORD_PREFIX);
  if (flaw !== undefined) return problem("username", "bad_username", USERNAME_MESSAGES[flaw]);
  const { patrons, catalog } = context.stores;
  const primary = catalog.withSession("first-primary");
  // Records without an account are there too: of a dump, or of somebody who has left. They are nobody else's.
  const taken = await Promise.all([
    findAccount(patrons, { username }),
    findUserKey(primary, username),
    readRecord(primary, `/people/${username}`),
    isBeingRemoved(patrons, username),
  ]);
  if (taken.every((found) => found === undefined || found === false)) return undefined;
  return problem("username", "username_registered", USERNAME_TAKEN);
}

/** What is wrong with an address for an account; undefined when it can be had. */
export async function newEmailProblem(context: RequestContext, email: string): Promise<Problem | undefined> {
  const address = email.trim();
  const host = address.slice(address.indexOf("@") + 1).toLowerCase();
  const isRefused =
    !isEmail(address) || OPEN_HOSTS.has(host) || isSpamAddress(address, await spamRulesOf(context));
  if (isRefused) return problem("email", "bad_email", "Please give an e-mail address that is yours.");
  if (!(await isKnownAddress(context, address))) return undefined;
  return problem("email", "email_registered", EMAIL_TAKEN);
}

async function isKnownAddress(context: RequestContext, email: string): Promise<boolean> {
  if ((await findAccount(context.stores.patrons, { email })) !== undefined) return true;
  if (context.settings.IDENTITY_PROVIDER === "local") return false;
  return (await identityProvider(context).lookup({ email })) !== null;
}

/** What is wrong with a new password; undefined when nothing is. The provider has rules of its own. */
export function newPasswordProblem(
  { settings }: Pick<RequestContext, "settings">,
  password: string,
  field = "password",
): Problem | undefined {
  const { min, max } = PASSWORD_LENGTH;
  const isLocal = settings.IDENTITY_PROVIDER === "local";
  if (!isLocal || (password.length >= min && password.length <= max)) return undefined;
  return problem(field, "bad_password", `A password has ${min} to ${max} characters.`);
}

/** A field that was left empty. */
export function missingField(field: string): Problem {
  return problem(field, "missing_fields", "Please fill this in.");
}

function problem(field: string, code: string, message: string): Problem {
  return { field, code, message };
}

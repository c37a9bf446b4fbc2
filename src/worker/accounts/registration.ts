import { datetimeText } from "../../catalog/datetime.ts";
import { deleteAccount, deleteStaleRegistrations } from "../../db/accounts/registrations.ts";
import { LINK_SECONDS } from "../../db/accounts/links.ts";
import type { RequestContext } from "../http/operation.ts";
import { unavailable } from "../http/errors.ts";
import { identityProvider } from "../identity/providers.ts";
import { missingField, newEmailProblem, newPasswordProblem, newUsernameProblem } from "./availability.ts";
import { REGISTRATIONS, byAddress, spend } from "./budgets.ts";
import { loginMessage } from "./login-failure.ts";
import { mailLink, mailSpenders } from "./mail-link.ts";
import type { Problem } from "./problems.ts";

/** What somebody gives who wants an account. */
export interface Wanted {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly newsletters: boolean;
}

/** The field that a provider's code is about (patrons.md 1.3). */
const FIELDS: Readonly<Record<string, string>> = {
  bad_email: "email",
  email_registered: "email",
  bad_password: "password",
  bad_username: "username",
  bad_screenname: "username",
  username_registered: "username",
};
const MESSAGES: Readonly<Record<string, string>> = {
  email_registered: "There is an account with this e-mail address.",
  username_registered: "This username is taken.",
  bad_email: "This e-mail address is not accepted.",
  bad_password: "This password is not accepted.",
  bad_username: "This username is not accepted.",
  bad_screenname: "This username is not accepted.",
};

/** Registers somebody and sends the mail that confirms his address. Returns what is wrong; throws 429 and 503. */
export async function register(context: RequestContext, form: Wanted): Promise<readonly Problem[]> {
  const wanted = { ...form, email: form.email.trim() };
  const provider = identityProvider(context);
  if (provider.register === undefined) throw unavailable("Nobody can register here.");
  await spend(context, byAddress(context, "registration", REGISTRATIONS));
  await deleteStaleRegistrations(context.stores.patrons, {
    ...wanted,
    before: datetimeText(context.now - LINK_SECONDS * 1000),
  });
  const problems = await problemsOf(context, wanted);
  if (problems.length > 0) return problems;
  await spend(context, mailSpenders(context, wanted.email));
  const { email, password, username: screenName, newsletters } = wanted;
  const result = await provider.register({ email, password, screenName, newsletters });
  if (!result.ok) return [problemOf(result.reason)];
  const { account } = result.identity;
  if (account !== undefined) await confirm(context, account, email);
  return [];
}

async function problemsOf(context: RequestContext, wanted: Wanted): Promise<Problem[]> {
  const { email, username, password } = wanted;
  const found = await Promise.all([
    email === "" ? missingField("email") : newEmailProblem(context, email),
    username === "" ? missingField("username") : newUsernameProblem(context, username),
    password === "" ? missingField("password") : newPasswordProblem(context, password),
  ]);
  return found.filter((problem) => problem !== undefined);
}

/** The mail of an account of this service itself. Without it the registration could not be repeated either. */
async function confirm(context: RequestContext, username: string, email: string): Promise<void> {
  try {
    await mailLink(context, { username, email, purpose: "verify" });
  } catch (error) {
    await deleteAccount(context.stores.patrons, username);
    throw error;
  }
}

function problemOf(code: string): Problem {
  return { field: FIELDS[code] ?? "email", code, message: MESSAGES[code] ?? loginMessage(code) };
}

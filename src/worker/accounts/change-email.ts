import { deleteLink, takeLink } from "../../db/accounts/links.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { updateEmail } from "../../db/accounts/write.ts";
import type { RequestContext } from "../http/operation.ts";
import { mailerOf } from "../platform/mail.ts";
import { missingField, newEmailProblem } from "./availability.ts";
import { CODE_FAILURES, VALIDATIONS, attempt, byAddress, spend } from "./budgets.ts";
import { emailChangedLetter } from "./letters.ts";
import { mailAfterwards, mailLink, mailSpenders } from "./mail-link.ts";
import { WRONG_PASSWORD, provenPassword } from "./own-password.ts";
import type { Problem } from "./problems.ts";

/** The address that somebody wants, and his password (Q155): who reads the mails of an account can take it over. */
export interface EmailWish {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Mails a link to the new address, which holds once it is followed. Returns what is wrong; throws 429 and 503. */
export async function requestEmailChange(
  context: RequestContext,
  { username, email, password }: EmailWish,
): Promise<readonly Problem[]> {
  const problems = [
    email === "" ? missingField("email") : undefined,
    password === "" ? missingField("password") : undefined,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  if ((await provenPassword(context, { username, password })) === undefined) return [WRONG_PASSWORD];
  // Whether an address is taken is asked for here, too.
  await spend(context, byAddress(context, "validation", VALIDATIONS));
  const problem = await newEmailProblem(context, email);
  if (problem !== undefined) return [problem];
  await spend(context, mailSpenders(context, email));
  await mailLink(context, { username, email: email.trim(), purpose: "email" });
  return [];
}

/** What became of a code for a new address. `taken`: another account has got the address in the meantime. */
export type EmailChange = "changed" | "taken" | "bad-code";

/** Changes an address by a code that was mailed to it, which is used up. */
export async function confirmEmailChange(context: RequestContext, code: string): Promise<EmailChange> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const value = await changed(context, code);
    return { value, isCounted: value === "bad-code" };
  });
}

async function changed(context: RequestContext, code: string): Promise<EmailChange> {
  const { stores, now } = context;
  const { patrons } = stores;
  const link = await takeLink(patrons, { code, purpose: "email", now });
  const account = link === undefined ? undefined : await findAccount(patrons, link);
  if (link === undefined || account === undefined || account.status !== "active") return "bad-code";
  const { username, email: before } = account;
  const outcome = await updateEmail(patrons, { username, email: link.email });
  if (outcome !== "updated") return outcome === "taken" ? "taken" : "bad-code";
  // A link to the old address must not open the account any more.
  await deleteLink(patrons, username, "password");
  mailAfterwards(context, () => mailerOf(context).send(emailChangedLetter({ to: before, username })));
  return "changed";
}

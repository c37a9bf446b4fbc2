import { isEmail } from "../../catalog/accounts.ts";
import { findAccount } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { missingField } from "./availability.ts";
import { spend } from "./budgets.ts";
import { mailAfterwards, mailLink, mailSpenders } from "./mail-link.ts";
import type { Problem } from "./problems.ts";

/**
 * Mails a link for a new password to an address, if an account has it. Neither the answer nor its time tells whether
 * that is so. Returns what is wrong with the address itself; throws a 429, for unknown addresses too.
 */
export async function requestPasswordReset(
  context: RequestContext,
  email: string,
): Promise<readonly Problem[]> {
  const address = email.trim();
  if (address === "") return [missingField("email")];
  if (!isEmail(address)) {
    return [{ field: "email", code: "invalid_email", message: "This is not an e-mail address." }];
  }
  await spend(context, mailSpenders(context, address));
  mailAfterwards(context, () => mailIfKnown(context, address));
  return [];
}

async function mailIfKnown(context: RequestContext, address: string): Promise<void> {
  const account = await findAccount(context.stores.patrons, { email: address });
  if (account === undefined || account.status === "blocked") return;
  const { username, email } = account;
  await mailLink(context, { username, email, purpose: "password" });
}

import { type LinkPurpose, createLink } from "../../db/accounts/links.ts";
import type { RequestContext } from "../http/operation.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Mail, mailerOf } from "../platform/mail.ts";
import { type Spender, MAILS_FROM_ONE, MAILS_TO_ONE, byAddress } from "./budgets.ts";
import { type Letter, emailLetter, passwordLetter, verifyLetter } from "./letters.ts";
import { newCode } from "./secret.ts";

const LETTERS: Readonly<Record<LinkPurpose, (context: RequestContext, letter: Letter) => Mail>> = {
  verify: verifyLetter,
  password: passwordLetter,
  email: emailLetter,
};

/** Who pays for a mail to an address. */
export function mailSpenders(context: RequestContext, email: string): Spender[] {
  return [
    { name: `mail to ${email.trim().toLowerCase()}`, budget: MAILS_TO_ONE },
    ...byAddress(context, "mail", MAILS_FROM_ONE),
  ];
}

/** Mails a link that is good once; an older one for the same purpose is void from now on. Throws a 503. */
export async function mailLink(
  context: RequestContext,
  link: { readonly username: string; readonly purpose: LinkPurpose; readonly email: string },
): Promise<void> {
  const { username, email, purpose } = link;
  const code = newCode();
  await createLink(context.stores.patrons, { ...link, code, now: context.now });
  await mailerOf(context).send(LETTERS[purpose](context, { to: email, username, code }));
}

/** Sends a mail after the answer, for whose content nobody waits; a failure is logged only. */
export function mailAfterwards(context: RequestContext, send: () => Promise<void>): void {
  context.waitUntil(
    send().catch((error: unknown) => {
      logLine("error", "mail", { requestId: context.requestId, error: String(loggable(error)) });
    }),
  );
}

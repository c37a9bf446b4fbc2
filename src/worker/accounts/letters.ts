import type { LinkPurpose } from "../../db/accounts/rows.ts";
import { createLink } from "../../db/accounts/write-secrets.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { NAME } from "../http/settings.ts";
import { type Mail, mailerOf } from "../platform/mail.ts";
import { type Spender, MAILS_FROM_ONE, MAILS_TO_ONE, byAddress } from "./budgets.ts";
import { newCode } from "./secret.ts";

/** A mail to somebody whose username is known; `code`: of the link, or for the form. */
type Letter = Readonly<Record<"to" | "username" | "code", string>>;

/** Mails with a link: what they ask for, and where the link leads. */
const LETTERS: Readonly<Record<LinkPurpose, readonly [subject: string, text: string, path: string]>> = {
  verify: ["Confirm your account", "please confirm your e-mail address", "/account/verify?t="],
  password: ["New password", "here you can set a new password", "/account/password/reset/"],
  email: [
    "Confirm your new address",
    "please confirm that this is your new e-mail address",
    "/account/email/verify/",
  ],
};

function linkLetter(context: RequestContext, purpose: LinkPurpose, { to, username, code }: Letter): Mail {
  const [subject, text, path] = LETTERS[purpose];
  const link = `${baseUrl(context)}${path}${code}`;
  const days = "The link works for 14 days. If you did not ask for this mail, you can ignore it.";
  return {
    to,
    subject: `${subject} at ${NAME}`,
    text: `Hello ${username},\n\n${text}:\n\n${link}\n\n${days}\n`,
  };
}

/** Lets somebody log in without his password. */
export function codeLetter({ to, username, code }: Letter): Mail {
  const text = `Hello ${username},\n\nwith this code you can log in within the next ten minutes:\n\n${code}\n\nIf you did not ask for this mail, you can ignore it. Give the code to nobody.\n`;
  return { to, subject: `Your code for ${NAME}`, text };
}

/** Tells somebody at his old address that it is his no longer. */
export function emailChangedLetter({ to, username }: Omit<Letter, "code">): Mail {
  const text = `Hello ${username},\n\nyour account at ${NAME} has another e-mail address from now on. If this was not you, please write to those who run the service.\n`;
  return { to, subject: `Your address at ${NAME} was changed`, text };
}

/** Tells somebody that his password is another one now. */
export function passwordChangedLetter({ to, username }: Omit<Letter, "code">): Mail {
  const text = `Hello ${username},\n\nthe password of your account at ${NAME} was changed, and you were logged out everywhere else. If this was not you, ask for a new password at once.\n`;
  return { to, subject: `Your password at ${NAME} was changed`, text };
}

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
  await mailerOf(context).send(linkLetter(context, purpose, { to: email, username, code }));
}

/** Sends a mail after the answer, for whose content nobody waits; a failure is logged only. */
export function mailAfterwards(context: RequestContext, send: () => Promise<void>): void {
  context.waitUntil(
    send().catch((error: unknown) => {
      logLine("error", "mail", { requestId: context.requestId, error: String(loggable(error)) });
    }),
  );
}

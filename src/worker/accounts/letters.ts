import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import type { LinkPurpose } from "../../db/accounts/account-rows.ts";
import { type FoundLink, findLink } from "../../db/accounts/read-secrets.ts";
import { LINK_SECONDS, createLink } from "../../db/accounts/write-secrets.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { NAME } from "../http/settings.ts";
import { type Mail, mailedBaseUrl, mailerOf, requireMail } from "../platform/mail.ts";
import {
  CODE_FAILURES,
  LOCKOUT_MAILS,
  LOGIN_FAILURES,
  MAILS_FROM_ONE,
  MAILS_TO_ONE,
  attempt,
  byAddress,
  spend,
} from "./budgets.ts";
import { newCode } from "./secret.ts";

/** Email to a patron whose username is known; `code`: of the link, or for the form. */
type Letter = Readonly<Record<"to" | "username" | "code", string>>;

const RESET = "/account/password/reset/";

/** Emails with a link: subject, request, and path of the link. */
const LETTERS: Readonly<
  Record<LinkPurpose | "known", readonly [subject: string, text: string, path: string]>
> = {
  verify: ["Confirm your account", "please confirm your e-mail address", "/account/verify?t="],
  password: ["New password", "here you can set a new password", RESET],
  known: [
    "You have an account",
    "somebody has asked for an account with your e-mail address, which has one already. If that was you, log in with your address; if you have forgotten your password, here you can set a new one",
    RESET,
  ],
  email: [
    "Confirm your new address",
    "please confirm that this is your new e-mail address",
    "/account/email/verify/",
  ],
};

/** Link to be emailed; `letter`: the template, if it is not that of the purpose. */
interface MailedLink {
  readonly username: string;
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly letter?: keyof typeof LETTERS;
}

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

function linkLetter(
  context: RequestContext,
  { username, purpose, email, letter }: MailedLink,
  code: string,
): Mail {
  const [subject, text, path] = LETTERS[letter ?? purpose];
  const link = `${mailedBaseUrl(context)}${path}${code}`;
  const hours = LINK_SECONDS[purpose] / HOUR_SECONDS;
  const life = `The link works for ${hours === 1 ? "one hour" : `${hours} hours`}. If you did not ask for this mail, you can ignore it.`;
  return {
    to: email,
    subject: `${subject} at ${NAME}`,
    text: `Hello ${username},\n\n${text}:\n\n${link}\n\n${life}\n`,
  };
}

/** Builds the email with a code for logging in without the password. */
export function codeLetter({ to, username, code }: Letter): Mail {
  const text = `Hello ${username},\n\nwith this code you can log in within the next ten minutes:\n\n${code}\n\nIf you did not ask for this mail, you can ignore it. Give the code to nobody.\n`;
  return { to, subject: `Your code for ${NAME}`, text };
}

/** Builds the email to the old address after a change of address. */
export function emailChangedLetter({ to, username }: Omit<Letter, "code">): Mail {
  const text = `Hello ${username},\n\nyour account at ${NAME} has another e-mail address from now on. If this was not you, please write to those who run the service.\n`;
  return { to, subject: `Your address at ${NAME} was changed`, text };
}

export function passwordChangedLetter({ to, username }: Omit<Letter, "code">): Mail {
  const text = `Hello ${username},\n\nthe password of your account at ${NAME} was changed, you were logged out everywhere else, and keys for programs ended. If this was not you, ask for a new password at once.\n`;
  return { to, subject: `Your password at ${NAME} was changed`, text };
}

/** Emails a patron, at most once a day, that strangers have used up the failed logins of their account. */
export function tellOfLockout(
  context: RequestContext,
  { username, usernameFolded, email: to, status }: FoundAccount,
): void {
  if (status !== "active") return;
  mailAfterwards(context, async () => {
    const budget = context.stores.throttle.getByName(`lockout mail to ${usernameFolded}`);
    const turn = await budget.take(context.now, LOCKOUT_MAILS);
    if (turn.wait > 0) return;
    await budget.settle(turn, true);
    const minutes = LOGIN_FAILURES.seconds / MINUTE_SECONDS;
    const text = `Hello ${username},\n\nsomebody has tried ${LOGIN_FAILURES.limit} wrong passwords for your account at ${NAME}. For up to ${minutes} minutes nobody can log in from a device that has not been used for it before; yours go on working. If this was not you, there is nothing to do, as long as nobody else knows your password. If you cannot log in, set a new password:\n\n${mailedBaseUrl(context)}/account/password/forgot\n`;
    await mailerOf(context).send({ to, subject: `Failed logins to your account at ${NAME}`, text });
  });
}

/** Builds the email after a key pair was created, with which programs can act as the patron. */
export function keyMadeLetter({ to, username }: Omit<Letter, "code">): Mail {
  const text = `Hello ${username},\n\nsomebody has made a key pair for programs with your account at ${NAME}: who has it can do what you can. If this was not you, change your password at once: that ends the keys.\n`;
  return { to, subject: `New keys for your account at ${NAME}`, text };
}

/**
 * Counts an email to an address before it is sent, whether by this service or by the provider. Throws 503 if this
 * service keeps the accounts but cannot send email, and 429.
 */
export async function spendMail(context: RequestContext, email: string): Promise<void> {
  if (context.settings.IDENTITY_PROVIDER === "local") requireMail(context.settings);
  await spend(context, [
    { name: `mail to ${email.trim().toLowerCase()}`, budget: MAILS_TO_ONE },
    ...byAddress(context, "mail", MAILS_FROM_ONE),
  ]);
}

/** Returns the link of an emailed code, without using the code up. Invalid codes are counted by client address. */
export function ownerOfCode(
  context: RequestContext,
  purpose: LinkPurpose,
  code: string,
): Promise<FoundLink | undefined> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const value = await findLink(context.stores.patrons, { code, purpose, now: context.now });
    return { value, isCounted: value === undefined };
  });
}

/** Emails a link that works once; an older one for the same purpose becomes void. Throws 503. */
export async function mailLink(context: RequestContext, link: MailedLink): Promise<void> {
  const { username, email, purpose } = link;
  const code = newCode();
  await createLink(context.stores.patrons, { username, email, purpose, code, now: context.now });
  await mailerOf(context).send(linkLetter(context, link, code));
}

/** Sends an email after the response, so that the client need not wait. Failures are only logged. */
export function mailAfterwards(context: RequestContext, send: () => Promise<void>): void {
  context.waitUntil(
    send().catch((error: unknown) => {
      logLine("error", "mail", { requestId: context.requestId, error: String(loggable(error)) });
    }),
  );
}

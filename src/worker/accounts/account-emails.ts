import { HOUR_SECONDS } from "../../catalog/units.ts";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import type { LinkPurpose } from "../../db/accounts/account-rows.ts";
import { findLink } from "../../db/accounts/read-secrets.ts";
import { LINK_SECONDS, createLink } from "../../db/accounts/write-secrets.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { mailedBaseUrl, mailerOf, requireMail } from "../platform/mail.ts";
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

const RESET = "/account/password/reset/";

const LINK_TEMPLATES: Record<LinkPurpose | "known", [subject: string, text: string, path: string]> = {
  verify: ["Confirm your account", "please confirm your email address", "/account/verify?t="],
  password: ["New password", "set a new password here", RESET],
  known: [
    "You already have an account",
    "someone tried to create an account with your email address, but you already have one. If it was you, log in with your email address. If you forgot your password, set a new one here",
    RESET,
  ],
  email: [
    "Confirm your new email address",
    "please confirm your new email address",
    "/account/email/verify/",
  ],
};

const MINUTE_SECONDS = 60;

/** Subjects and texts of notices, by the name of the service. */
const NOTICES = {
  email: (site: string) => [
    `Your email address at ${site} was changed`,
    `the email address of your account at ${site} was changed. If this wasn't you, contact us right away.`,
  ],
  password: (site: string) => [
    `Your password at ${site} was changed`,
    `the password of your account at ${site} was changed. All other sessions were logged out, and API keys were revoked. If this wasn't you, reset your password right away.`,
  ],
  key: (site: string) => [
    `New API key for your account at ${site}`,
    `an API key was created for your account at ${site}. Programs with this key can act as you. If this wasn't you, change your password right away: that revokes the key.`,
  ],
  token: (site: string) => [
    `New token for your account at ${site}`,
    `a personal token was created for your account at ${site}. Programs with this token can act as you. If this wasn't you, change your password right away: that revokes all tokens.`,
  ],
} as const;

/** Emails a patron about a change of the account, after the response. */
export function mailNotice(
  context: RequestContext,
  about: keyof typeof NOTICES,
  { username, email: to }: Pick<FoundAccount, "username" | "email">,
): void {
  mailAfterwards(context, () =>
    mailerOf(context).send((site) => {
      const [subject = "", text = ""] = NOTICES[about](site);
      return { to, subject, text: `Hello ${username},\n\n${text}\n` };
    }),
  );
}

/** Emails a patron, at most once a day, that the failed logins of their account are used up. */
export function emailLockout(
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
    await mailerOf(context).send((site) => ({
      to,
      subject: `Failed logins to your account at ${site}`,
      text: `Hello ${username},\n\nthere were ${LOGIN_FAILURES.limit} failed logins to your account at ${site}. For up to ${minutes} minutes, new devices can't log in to it; your own devices still can. If this wasn't you, you don't need to do anything. If you can't log in, set a new password:\n\n${mailedBaseUrl(context)}/account/password/forgot\n`,
    }));
  });
}

/** Counts an email before it is sent. Throws 503 if this service cannot send email, 429 over the limits. */
export async function spendMail(context: RequestContext, email: string): Promise<void> {
  if (context.settings.IDENTITY_PROVIDER === "local") requireMail(context.settings);
  await spend(context, [
    { name: `mail to ${email.trim().toLowerCase()}`, budget: MAILS_TO_ONE },
    ...byAddress(context, "mail", MAILS_FROM_ONE),
  ]);
}

/** Returns the link of an emailed code, without using the code up. Invalid codes are counted by client address. */
export function findCodeOwner(context: RequestContext, purpose: LinkPurpose, code: string) {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const value = await findLink(context.stores.patrons, { code, purpose, now: context.now });
    return { value, isCounted: value === undefined };
  });
}

/**
 * Emails a link that works once; an older one for the same purpose becomes void. `template` is that of the purpose unless
 * stated. Throws 503.
 */
export async function mailLink(
  context: RequestContext,
  { username, email }: Pick<FoundAccount, "username" | "email">,
  purpose: LinkPurpose,
  template: keyof typeof LINK_TEMPLATES = purpose,
): Promise<void> {
  const code = newCode();
  await createLink(context.stores.patrons, { username, email, purpose, code, now: context.now });
  const [subject, text, path] = LINK_TEMPLATES[template];
  const link = `${mailedBaseUrl(context)}${path}${code}`;
  const hours = LINK_SECONDS[purpose] / HOUR_SECONDS;
  const life = `The link works for ${hours === 1 ? "one hour" : `${hours} hours`}. If you didn't request this email, ignore it.`;
  await mailerOf(context).send((site) => ({
    to: email,
    subject: `${subject} at ${site}`,
    text: `Hello ${username},\n\n${text}:\n\n${link}\n\n${life}\n`,
  }));
}

/** Creates a link that sets a password, and returns its path. An older one of the account becomes void. */
export async function createPasswordLink(
  { stores, now }: RequestContext,
  { username, email }: Pick<FoundAccount, "username" | "email">,
): Promise<string> {
  const code = newCode();
  await createLink(stores.patrons, { username, email, purpose: "password", code, now });
  return RESET + code;
}

/** Sends an email after the response, so that the client need not wait. Failures are only logged. */
export function mailAfterwards(context: RequestContext, send: () => Promise<void>): void {
  context.waitUntil(
    send().catch((error: unknown) => {
      logLine("error", "mail", { requestId: context.requestId, error: String(loggable(error)) });
    }),
  );
}

import { HOUR_SECONDS } from "../../catalog/units.ts";
import type { TextKey } from "../../catalog/texts.ts";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import type { LinkPurpose } from "../../db/accounts/account-rows.ts";
import { findLink } from "../../db/accounts/read-secrets.ts";
import { LINK_SECONDS, createLink } from "../../db/accounts/write-secrets.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Recipient, mailedBaseUrl, mailerOf, requireMail } from "../platform/mail.ts";
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

type MailTexts = readonly [subject: TextKey, text: TextKey];

/** Texts of emails with a link, and the path of the link before its code. */
const LINKS: Record<LinkPurpose | "known", { texts: MailTexts; path: string }> = {
  verify: { texts: ["mail.verify_subject", "mail.verify"], path: "/account/verify?t=" },
  password: { texts: ["mail.password_subject", "mail.password"], path: RESET },
  known: { texts: ["mail.known_subject", "mail.known"], path: RESET },
  email: { texts: ["mail.email_subject", "mail.email"], path: "/account/email/verify/" },
};

/** Texts of emails about a change of the account. */
const NOTICES: Record<"email" | "password" | "key" | "token", MailTexts> = {
  email: ["mail.email_changed_subject", "mail.email_changed"],
  password: ["mail.password_changed_subject", "mail.password_changed"],
  key: ["mail.key_subject", "mail.key"],
  token: ["mail.token_subject", "mail.token"],
};

const MINUTE_SECONDS = 60;

/** Emails a patron about a change of the account, after the response. */
export function mailNotice(context: RequestContext, about: keyof typeof NOTICES, account: Recipient): void {
  const [subject, text] = NOTICES[about];
  mailAfterwards(context, () => mailerOf(context).send(account, () => ({ subject, paragraphs: [text] })));
}

/** Emails a patron, at most once a day, that the failed logins of their account are used up. */
export function emailLockout(context: RequestContext, account: FoundAccount): void {
  if (account.status !== "active") return;
  const { settings, stores, now } = context;
  mailAfterwards(context, async () => {
    const budget = stores.throttle.getByName(`lockout mail to ${account.usernameFolded}`);
    const turn = await budget.take(now, LOCKOUT_MAILS);
    if (turn.wait > 0) return;
    await budget.settle(turn, true);
    const values = { count: LOGIN_FAILURES.seconds / MINUTE_SECONDS };
    // Not in the language of the request, which is probably not theirs.
    await mailerOf({ settings, stores, now }).send(account, () => ({
      subject: "mail.lockout_subject",
      paragraphs: ["mail.lockout", { plain: `${mailedBaseUrl(context)}/account/password/forgot` }],
      values,
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
  account: Recipient,
  purpose: LinkPurpose,
  template: keyof typeof LINKS = purpose,
): Promise<void> {
  const { username, email } = account;
  const code = newCode();
  await createLink(context.stores.patrons, { username, email, purpose, code, now: context.now });
  const { texts, path } = LINKS[template];
  const [subject, text] = texts;
  const link = `${mailedBaseUrl(context)}${path}${code}`;
  await mailerOf(context).send(account, () => ({
    subject,
    paragraphs: [text, { plain: link }, "mail.link_life"],
    values: { count: LINK_SECONDS[purpose] / HOUR_SECONDS },
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

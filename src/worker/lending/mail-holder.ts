import * as z from "zod";
import type { DeskLoan } from "../../catalog/lending/desk-word.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import type { MailCall } from "../../durable/loan-desk/mail-calls.ts";
import { findAccount } from "../../db/patrons/find-account.ts";
import { mailerOf } from "../mail/mailer.ts";
import { type Jobs, jobKind } from "../queue/job-kind.ts";
import { NAME } from "../version.ts";

/** The kind, as loan desks send it. */
export const QUEUE_MAIL: MailCall["kind"] = "queue-mail";

const message = z.object({ ocaid: z.string().min(1), patron: z.string().min(1) });

/**
 * The job `queue-mail`: tells a patron by mail that others wait for a book that he has. Once a loan: the desk says whether he
 * has got it already, and asks again for what was not sent (lookup.md 13.2).
 */
export const queueMail = jobKind(message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const loan = await desk.queueMailDue(patron);
  if (loan === null) return;
  const { settings, stores, sources } = jobs;
  const account = await findAccount(stores.patrons, { username: patron });
  if (account !== undefined) {
    await mailerOf({ settings, stores, now: sources.now() }).send(letter(jobs, account, loan));
  }
  await desk.queueMailSent(loan.uuid);
});

const DAY_LENGTH = "YYYY-MM-DD".length;

function letter(
  { settings }: Jobs,
  { username, email }: { readonly username: string; readonly email: string },
  { expiry }: DeskLoan,
) {
  const address = `${settings.BASE_URL.replace(/\/$/, "")}/account/loans`;
  const until = datetimeText(expiry).slice(0, DAY_LENGTH);
  const text = `Hello ${username},

others wait for a book that you have borrowed. You can keep it until ${until}. If you do not need it any longer, please return it:

${address}
`;
  return { to: email, subject: `Others wait for a book of yours at ${NAME}`, text };
}

import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import type { DeskLoan } from "../../catalog/lending/loan.ts";
import { findAccount } from "../../db/accounts/read.ts";
import type { MailCall } from "../../durable/loan-desk/mail-calls.ts";
import { jobKind } from "../http/patron-job.ts";
import type { Jobs } from "../http/queue.ts";
import { NAME } from "../http/settings.ts";
import { mailerOf } from "../platform/mail.ts";

/** The messages, as loan desks send them. */
const LENDING_MAIL: MailCall["kind"] = "lending-mail";
const QUEUE_MAIL: MailCall["kind"] = "queue-mail";
const message = z.object({ ocaid: z.string().min(1), patron: z.string().min(1) });

/**
 * The job `lending-mail`: tells a patron by mail that a copy is kept for him. Once: the desk says whether he has got it
 * already, and asks again for what was not sent. Who has no account any more gets none.
 */
export const lendingMail = jobKind(LENDING_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const place = await desk.mailDue(patron);
  if (place === null) return;
  const account = await findAccount(jobs.stores.patrons, { username: patron });
  if (account !== undefined) await mailerOf(mailing(jobs)).send(headLetter(jobs, account, ocaid));
  await desk.mailSent(patron);
});

function mailing({ settings, stores, sources }: Jobs) {
  return { settings, stores, now: sources.now() };
}

function headLetter(
  { settings }: Jobs,
  { username, email }: { readonly username: string; readonly email: string },
  ocaid: string,
) {
  const { BASE_URL } = settings;
  const address = `${BASE_URL.replace(/\/$/, "")}/borrow/ia/${encodeURIComponent(ocaid)}`;
  const where =
    BASE_URL === "" ? "You find it among your loans, at /account/loans." : `Borrow it here:\n\n${address}`;
  const text = `Hello ${username},\n\na book that you wait for is free. It is kept for you for 24 hours.\n\n${where}\n`;
  return { to: email, subject: `A book is waiting for you at ${NAME}`, text };
}

/**
 * The job `queue-mail`: tells a patron by mail that others wait for a book that he has. Once a loan: the desk says
 * whether he has got it already, and asks again for what was not sent.
 */
export const queueMail = jobKind(QUEUE_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const loan = await desk.queueMailDue(patron);
  if (loan === null) return;
  const { settings, stores, sources } = jobs;
  const account = await findAccount(stores.patrons, { username: patron });
  if (account !== undefined) {
    await mailerOf({ settings, stores, now: sources.now() }).send(holderLetter(jobs, account, loan));
  }
  await desk.queueMailSent(loan.uuid);
});

const DAY_LENGTH = "YYYY-MM-DD".length;

function holderLetter(
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

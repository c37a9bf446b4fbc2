import * as z from "zod";
import type { MailCall } from "../../durable/loan-desk/mail-calls.ts";
import { findAccount } from "../../db/patrons/find-account.ts";
import { mailerOf } from "../mail/mailer.ts";
import { type Jobs, jobKind } from "../queue/job-kind.ts";
import { NAME } from "../version.ts";

/** The kind, as loan desks send it. */
export const LENDING_MAIL: MailCall["kind"] = "lending-mail";

const message = z.object({ ocaid: z.string().min(1), patron: z.string().min(1) });

/**
 * The job `lending-mail`: tells a patron by mail that a copy is kept for him. Once: the desk says whether he has got it
 * already, and asks again for what was not sent. Who has no account any more gets none.
 */
export const lendingMail = jobKind(message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const place = await desk.mailDue(patron);
  if (place === null) return;
  const account = await findAccount(jobs.stores.patrons, { username: patron });
  if (account !== undefined) await mailerOf(mailing(jobs)).send(letter(jobs, account, ocaid));
  await desk.mailSent(patron);
});

function mailing({ settings, stores, sources }: Jobs) {
  return { settings, stores, now: sources.now() };
}

function letter(
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

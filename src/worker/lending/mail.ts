import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import type { MailCall } from "../../durable/loan-desk/mail-outbox.ts";
import { jobKind } from "../platform/patron-job.ts";
import type { Jobs } from "../http/queue.ts";
import { mailerOf } from "../platform/mail.ts";

/** Kinds of the messages, as loan desks send them. */
const LENDING_MAIL: MailCall["kind"] = "lending-mail";
const QUEUE_MAIL: MailCall["kind"] = "queue-mail";
const DAY_LENGTH = "YYYY-MM-DD".length;

const message = z.object({ ocaid: z.string().min(1), patron: z.string().min(1) });

/** Emails a patron for whom a copy is reserved, once: the desk enqueues the job again until the email is sent. */
export const lendingMail = jobKind(LENDING_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  if ((await desk.mailDue(patron)) === null) return;
  const { BASE_URL } = jobs.settings;
  const address = `${BASE_URL.replace(/\/$/, "")}/borrow/ia/${encodeURIComponent(ocaid)}`;
  const where =
    BASE_URL === "" ? "Borrow it from your loans page: /account/loans" : `Borrow it here:\n\n${address}`;
  const text = `a book on your waiting list is ready. We hold it for you for 24 hours.\n\n${where}`;
  await mailPatron(jobs, patron, "Your book is ready", text);
  await desk.mailSent(patron);
});

/** Emails a patron whose book others wait for, once per loan: the desk enqueues the job again until it is sent. */
export const queueMail = jobKind(QUEUE_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const loan = await desk.queueMailDue(patron);
  if (loan === null) return;
  const address = `${jobs.settings.BASE_URL.replace(/\/$/, "")}/account/loans`;
  const until = formatDatetime(loan.expiry).slice(0, DAY_LENGTH);
  const text = `other readers are waiting for a book you have borrowed. You can keep it until ${until}. If you've finished with it, please return it early:\n\n${address}`;
  await mailPatron(jobs, patron, "Readers are waiting for your book", text);
  await desk.queueMailSent(loan.uuid);
});

async function mailPatron(
  { settings, stores, sources }: Jobs,
  patron: string,
  subject: string,
  text: string,
) {
  const account = await findAccount(stores.patrons, { username: patron });
  if (account === undefined) return;
  const mailer = mailerOf({ settings, stores, now: sources.now() });
  await mailer.send((site) => ({
    to: account.email,
    subject: `${subject} at ${site}`,
    text: `Hello ${account.username},\n\n${text}\n`,
  }));
}

import * as z from "zod";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import type { MailCall } from "../../durable/loan-desk/mail-outbox.ts";
import { jobKind } from "../platform/patron-job.ts";
import type { Jobs } from "../http/queue.ts";
import type { Language } from "../http/pages/reader.ts";
import { type Letter, mailerOf } from "../platform/mail.ts";
import { dayIn } from "../ui/words.ts";

/** Kinds of the messages, as loan desks send them. */
const LENDING_MAIL: MailCall["kind"] = "lending-mail";
const QUEUE_MAIL: MailCall["kind"] = "queue-mail";

const message = z.object({ ocaid: z.string().min(1), patron: z.string().min(1) });

/** Emails a patron for whom a copy is reserved, once: the desk enqueues the job again until the email is sent. */
export const lendingMail = jobKind(LENDING_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  if ((await desk.mailDue(patron)) === null) return;
  const path = `/borrow/ia/${encodeURIComponent(ocaid)}`;
  await mailPatron(jobs, patron, () => ({
    subject: "mail.ready_subject",
    paragraphs: ["mail.ready", addressIn(jobs, path)],
  }));
  await desk.mailSent(patron);
});

/** Emails a patron whose book others wait for, once per loan: the desk enqueues the job again until it is sent. */
export const queueMail = jobKind(QUEUE_MAIL, message, async ({ ocaid, patron }, jobs) => {
  const desk = jobs.stores.loanDesk.getByName(ocaid);
  const loan = await desk.queueMailDue(patron);
  if (loan === null) return;
  await mailPatron(jobs, patron, (language) => ({
    subject: "mail.waited_subject",
    paragraphs: ["mail.waited", addressIn(jobs, "/account/loans")],
    values: { day: dayIn(language, loan.expiry) },
  }));
  await desk.queueMailSent(loan.uuid);
});

/** Returns the address of a path; the path itself for a service without `BASE_URL`. */
function addressIn({ settings }: Jobs, path: string) {
  return { plain: settings.BASE_URL.replace(/\/$/, "") + path };
}

async function mailPatron(
  { settings, stores, sources }: Jobs,
  patron: string,
  write: (language: Language) => Letter,
) {
  const account = await findAccount(stores.patrons, { username: patron });
  if (account === undefined) return;
  await mailerOf({ settings, stores, now: sources.now() }).send(account, write);
}

import { datetimeText } from "../../catalog/datetime.ts";
import { addToOutbox } from "../../db/accounts/write.ts";
import { unavailable } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";

/** How long the mail service may take, in milliseconds. */
const MAIL_TIMEOUT_MS = 10_000;

/** Where mails go, and with which token. */
interface MailService {
  readonly url: string;
  readonly token: string;
}

/** A mail as the service takes it. */
interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Hands a mail to a service over HTTP, by POST of a JSON object. False when the service did not take it. */
export async function postMail({ url, token }: MailService, mail: SentMail): Promise<boolean> {
  const response = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(mail),
    redirect: "manual",
    signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** How mails leave the service. */
interface Mailer {
  /** Throws a 503 when the mail cannot be handed over. */
  send(mail: Mail): Promise<void>;
}

/** Keeps mails where the developer reads them (`/development/outbox.json`); nobody else gets them. */
function outboxMailer(patrons: D1Database, now: number): Mailer {
  return {
    send: ({ to, subject, text }) =>
      addToOutbox(patrons, { recipient: to, subject, body: text, created: datetimeText(now) }),
  };
}

/** The way that the service is configured with: `MAIL_URL`; on a development service without it the outbox. */
export function mailerOf({
  settings,
  stores,
  now,
}: Pick<RequestContext, "settings" | "stores" | "now">): Mailer {
  const { ENVIRONMENT, MAIL_URL: url, MAIL_TOKEN: token, MAIL_FROM: from } = settings;
  if (url !== "") return httpMailer({ url, token }, from);
  if (ENVIRONMENT === "development") return outboxMailer(stores.patrons, now);
  return {
    send: () => Promise.reject(unavailable("No MAIL_URL is configured, so no mail can be sent.")),
  };
}

function httpMailer(service: MailService, from: string): Mailer {
  return {
    async send({ to, subject, text }) {
      if (await postMail(service, { from, to, subject, text })) return;
      throw unavailable("The mail could not be sent. Please try again later.");
    },
  };
}

import { datetimeText } from "../../catalog/datetime.ts";
import { addToOutbox } from "../../db/patrons/outbox.ts";
import type { Mailer } from "./mail.ts";

/** Keeps mails where the developer reads them (`/development/outbox.json`); nobody else gets them. */
export function outboxMailer(patrons: D1Database, now: number): Mailer {
  return {
    send: ({ to, subject, text }) =>
      addToOutbox(patrons, { recipient: to, subject, body: text, created: datetimeText(now) }),
  };
}

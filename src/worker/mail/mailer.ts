import type { RequestContext } from "../context.ts";
import { unavailable } from "../errors.ts";
import { type MailService, postMail } from "./http.ts";
import type { Mailer } from "./mail.ts";
import { outboxMailer } from "./outbox.ts";

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

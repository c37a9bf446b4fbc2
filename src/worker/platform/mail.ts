import { datetimeText } from "../../catalog/datetime.ts";
import { addToOutbox } from "../../db/accounts/write.ts";
import { unavailable } from "../http/errors.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import type { Settings } from "../http/settings.ts";

/** Port of the main site under `npm start`, unless told otherwise. */
const LOCAL_PORT = 8080;
/** How long the mail service may take, in milliseconds. */
const MAIL_TIMEOUT_MS = 10_000;

/** Hands a mail to a service over HTTP, by POST of a JSON object. False when the service did not take it. */
export async function postMail(
  { url, token }: { readonly url: string; readonly token: string },
  mail: Mail & { readonly from: string },
): Promise<boolean> {
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

interface Mailer {
  /** Throws a 503 when the mail cannot be handed over. */
  send(mail: Mail): Promise<void>;
}

/**
 * Why no mail can be sent; undefined when mails can. A deployed service takes the address of its links from its settings
 * alone (Q147): the `Host` of a request is whatever somebody writes there.
 */
export function mailProblem({ ENVIRONMENT, MAIL_URL, BASE_URL }: Settings): string | undefined {
  if (ENVIRONMENT === "development") return undefined;
  if (MAIL_URL === "") return "No MAIL_URL is configured, so no mail can be sent.";
  return BASE_URL === "" ? "No BASE_URL is configured, so no mail can be sent." : undefined;
}

/** Hosts of this computer. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Base URL of links in mails: `BASE_URL`, or else a loopback address, because clients choose the `Host` of a request. Only
 * development services send mails without `BASE_URL`.
 */
export function mailedBaseUrl(context: Pick<RequestContext, "settings" | "url">): string {
  const { hostname, port } = context.url;
  if (context.settings.BASE_URL !== "" || LOOPBACK.test(hostname)) return baseUrl(context);
  return `http://localhost:${port === "" ? LOCAL_PORT : port}`;
}

/** Throws a 503 where no mail can be sent. */
export function requireMail(settings: Settings): void {
  const problem = mailProblem(settings);
  if (problem !== undefined) throw unavailable(problem);
}

/**
 * The way that the service is configured with: `MAIL_URL`; a development service without it keeps mails where the
 * developer reads them (`/development/outbox.json`), and nobody else gets them.
 */
export function mailerOf({
  settings,
  stores,
  now,
}: Pick<RequestContext, "settings" | "stores" | "now">): Mailer {
  const { MAIL_URL: url, MAIL_TOKEN: token, MAIL_FROM: from } = settings;
  return {
    async send({ to, subject, text }) {
      requireMail(settings);
      if (url !== "") {
        if (await postMail({ url, token }, { from, to, subject, text })) return;
        throw unavailable("The mail could not be sent. Please try again later.");
      }
      const created = datetimeText(now);
      await addToOutbox(stores.patrons, { recipient: to, subject, body: text, created });
    },
  };
}

/** The address of the service: that of `MAIL_FROM`, which is one, or `Name <address>`; undefined where there is none. */
export function serviceAddress({ MAIL_FROM }: Settings): string | undefined {
  return MAIL_FROM.split(/[\s<>]+/).find((part) => part.includes("@"));
}

import type { Text } from "../../catalog/texts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { addToOutbox } from "../../db/accounts/write-accounts.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { LOOPBACK } from "../http/access.ts";
import type { Settings } from "../http/settings.ts";
import { readSite } from "../http/pages/site-settings.ts";
import { failure } from "../http/failure.ts";

/** Default port of the main site under `npm start`. */
const LOCAL_PORT = 8080;
const MAIL_TIMEOUT_MS = 10_000;

/** Posts an email to a service over HTTP, as a JSON object. Returns false if the service did not take it. */
export async function postMail(
  { url, token }: { url: string; token: string },
  mail: Mail & { from: string },
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

export type Mail = { to: string; subject: string; text: string };

/**
 * Returns the reason why no email can be sent; undefined if emails can be sent. A deployed service takes the base URL
 * of its links from its settings alone (Q147), because clients choose the `Host` of a request.
 */
export function mailProblem({ ENVIRONMENT, MAIL_URL, BASE_URL }: Settings): Text | undefined {
  if (ENVIRONMENT === "development") return undefined;
  const name = MAIL_URL === "" ? "MAIL_URL" : BASE_URL === "" ? "BASE_URL" : undefined;
  return name === undefined ? undefined : { key: "status.no_mail", values: { name } };
}

/**
 * Returns the base URL of links in emails: `BASE_URL`, or else a loopback address, because clients choose the `Host` of
 * a request. Only development services send emails without `BASE_URL`.
 */
export function mailedBaseUrl(context: Pick<RequestContext, "settings" | "url">): string {
  const { hostname, port } = context.url;
  if (context.settings.BASE_URL !== "" || LOOPBACK.test(hostname)) return baseUrl(context);
  return `http://localhost:${port === "" ? LOCAL_PORT : port}`;
}

export function requireMail(settings: Settings): void {
  if (mailProblem(settings) !== undefined) throw failure("unavailable.mail");
}

/**
 * Returns the configured mailer: `MAIL_URL`, or for a development service without it the outbox that its developer
 * reads (`/development/outbox.json`), which delivers to no other address.
 */
export function mailerOf({ settings, stores, now }: Pick<RequestContext, "settings" | "stores" | "now">) {
  const { MAIL_URL: url, MAIL_TOKEN: token, MAIL_FROM: from } = settings;
  return {
    /** Sends an email, written for the name of the service. Throws a 503 if the mail service does not take it. */
    async send(write: (site: string) => Mail): Promise<void> {
      requireMail(settings);
      const { site } = await readSite(stores.patrons, settings);
      const { to, subject, text } = write(site.name);
      if (url !== "") {
        if (await postMail({ url, token }, { from, to, subject, text })) return;
        throw failure("unavailable.mail");
      }
      const created = formatDatetime(now);
      await addToOutbox(stores.patrons, { recipient: to, subject, body: text, created });
    },
  };
}

/** Returns the address out of `MAIL_FROM`, which may be `Name <address>`; undefined if there is none. */
export function serviceAddress({ MAIL_FROM }: Settings): string | undefined {
  return MAIL_FROM.split(/[\s<>]+/).find((part) => part.includes("@"));
}

import type { Text, TextKey, TextValues } from "../../catalog/texts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { addToOutbox } from "../../db/accounts/write-accounts.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { LOOPBACK } from "../http/access.ts";
import type { Settings } from "../http/settings.ts";
import { type Language, preferredLanguage } from "../http/pages/reader.ts";
import { readSite } from "../http/pages/site-settings.ts";
import { importTexts, plainTextIn } from "../http/pages/texts.ts";
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

type Mail = { to: string; subject: string; text: string };

/** Account that an email goes to; `language`: the one that it was last used in, if known. */
export interface Recipient {
  readonly username: string;
  readonly email: string;
  readonly language?: string | null;
}

/** Content of an email. `values` are those of all its texts, which have the name of the service as `site`. */
export interface Letter {
  readonly subject: TextKey;
  /** Texts, and addresses or codes as they are. */
  readonly paragraphs: readonly (TextKey | { readonly plain: string })[];
  readonly values?: TextValues;
}

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

/** `request`: that of the recipient, if there is one. */
type MailContext = Pick<RequestContext, "settings" | "stores" | "now"> &
  Partial<Pick<RequestContext, "request">>;

/**
 * Returns the configured mailer: `MAIL_URL`, or for a development service without it the outbox that its developer
 * reads (`/development/outbox.json`), which delivers to no other address.
 */
export function mailerOf({ settings, stores, now, request }: MailContext) {
  const { MAIL_URL: url, MAIL_TOKEN: token, MAIL_FROM: from } = settings;
  return {
    /**
     * Sends an email in the language of the account, or else of the request, if the service offers it. Throws a 503 if the
     * mail service does not take it.
     */
    async send(recipient: Recipient, write: (language: Language) => Letter): Promise<void> {
      requireMail(settings);
      const { site } = await readSite(stores.patrons, settings);
      // Q869
      const stated = recipient.language ?? (request && preferredLanguage(request));
      const language = site.languages.find((offered) => offered === stated) ?? site.language;
      await importTexts(language);
      const { to, subject, text } = compose(recipient, write(language), { language, site: site.name });
      if (url !== "") {
        if (await postMail({ url, token }, { from, to, subject, text })) return;
        throw failure("unavailable.mail");
      }
      const created = formatDatetime(now);
      await addToOutbox(stores.patrons, { recipient: to, subject, body: text, created });
    },
  };
}

function compose(
  { username, email: to }: Recipient,
  { subject, paragraphs, values }: Letter,
  { language, site }: { language: Language; site: string },
): Mail {
  const say = (key: TextKey) => plainTextIn(language, { key, values: { ...values, site, username } });
  const parts = paragraphs.map((part) => (typeof part === "string" ? say(part) : part.plain));
  return { to, subject: say(subject), text: `${[say("mail.greeting"), ...parts].join("\n\n")}\n` };
}

/** Returns the address out of `MAIL_FROM`, which may be `Name <address>`; undefined if there is none. */
export function serviceAddress({ MAIL_FROM }: Settings): string | undefined {
  return MAIL_FROM.split(/[\s<>]+/).find((part) => part.includes("@"));
}

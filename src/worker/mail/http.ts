/** How long the mail service may take, in milliseconds. */
export const MAIL_TIMEOUT_MS = 10_000;

/** Where mails go, and with which token. */
export interface MailService {
  readonly url: string;
  readonly token: string;
}

/** A mail as the service takes it. */
export interface SentMail {
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

import { datetimeText } from "../../catalog/datetime.ts";
import { cookieValue, openToken, sealToken } from "../http/cookie.ts";
import type { RequestContext } from "../http/operation.ts";
import { cookieText, ownCookieName, secretsOf } from "../http/session.ts";

/** Lifetime of a device cookie after a login, in seconds. */
const DEVICE_SECONDS = 365 * 86_400;
const DEVICE_COOKIE = "device";

/**
 * Returns the id of the request's device if it has been used to log in to the account before; otherwise undefined. It
 * proves no identity: failed logins with it are only counted apart from those of strangers, who therefore cannot lock
 * the owner out (Q149).
 */
export async function knownDevice(context: RequestContext, username: string): Promise<string | undefined> {
  const name = ownCookieName(DEVICE_COOKIE, context);
  const text = cookieValue(context.request.headers.get("Cookie"), name);
  const token = text === undefined ? undefined : await openToken(text, deviceSecrets(context));
  if (token?.username.toLowerCase() !== username.toLowerCase()) return undefined;
  const known = datetimeText(context.now - DEVICE_SECONDS * 1000);
  return token.time > known ? token.id : undefined;
}

/** Makes the account know the device of a request, instead of another account. */
export async function rememberDevice(context: RequestContext, username: string): Promise<void> {
  const [secret] = deviceSecrets(context);
  if (secret === undefined) return;
  const token = { username, time: datetimeText(context.now).slice(0, 19), id: context.sources.newSecret() };
  const name = ownCookieName(DEVICE_COOKIE, context);
  context.cookies.push(
    cookieText(name, await sealToken(token, secret), { context, seconds: DEVICE_SECONDS }),
  );
}

/** Derives secrets that differ from those of sessions, so that neither cookie can replace the other. */
function deviceSecrets({ settings }: RequestContext): string[] {
  return secretsOf(settings).map((secret) => `device ${secret}`);
}

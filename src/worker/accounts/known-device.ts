import { datetimeText } from "../../catalog/datetime.ts";
import { cookieValue, openToken, sealToken } from "../http/cookie.ts";
import type { RequestContext } from "../http/operation.ts";
import { cookieText, ownCookieName, secretsOf } from "../http/session.ts";

/** How long a device is known after a login, in seconds. */
const DEVICE_SECONDS = 365 * 86_400;
const DEVICE_COOKIE = "device";

/**
 * What names the device of a request if somebody has logged in to the account with it before. It proves nobody's identity:
 * failed logins with it are counted apart from those of strangers, who so cannot lock its owner out (Q149).
 */
export async function knownDevice(context: RequestContext, username: string): Promise<string | undefined> {
  const name = ownCookieName(DEVICE_COOKIE, context);
  const text = cookieValue(context.request.headers.get("Cookie"), name);
  const token = text === undefined ? undefined : await openToken(text, deviceSecrets(context));
  if (token?.username.toLowerCase() !== username.toLowerCase()) return undefined;
  const known = datetimeText(context.now - DEVICE_SECONDS * 1000);
  return token.time > known ? token.id : undefined;
}

/** Makes the device of a request one that the account knows, instead of another account. */
export async function rememberDevice(context: RequestContext, username: string): Promise<void> {
  const [secret] = deviceSecrets(context);
  if (secret === undefined) return;
  const token = { username, time: datetimeText(context.now).slice(0, 19), id: context.sources.newSecret() };
  const name = ownCookieName(DEVICE_COOKIE, context);
  context.cookies.push(
    cookieText(name, await sealToken(token, secret), { context, seconds: DEVICE_SECONDS }),
  );
}

/** Not those of sessions: neither cookie can stand for the other. */
function deviceSecrets({ settings }: RequestContext): string[] {
  return secretsOf(settings).map((secret) => `device ${secret}`);
}

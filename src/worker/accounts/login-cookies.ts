import { DAY_SECONDS } from "../../catalog/units.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { cookieValue, openToken, sealToken } from "../http/cookie.ts";
import type { RequestContext } from "../http/operation.ts";
import {
  REMEMBERED_SECONDS,
  cookieText,
  deletedCookie,
  ownCookieName,
  patronOf,
  secretsOf,
} from "../http/session.ts";
import { BANNER_COOKIE, setSafeModeCookie } from "./preferences.ts";

const YEAR_SECONDS = 365 * DAY_SECONDS;

/** Cookie with the programme for the print-disabled that the patron named at the registration. */
const PROGRAMME_COOKIE = "pda";
export const PROGRAMME = /^[\w.-]{1,60}$/;

export async function setLoginCookies(
  context: RequestContext,
  { username, specialAccess }: { username: string; specialAccess: boolean },
  remember: boolean,
): Promise<void> {
  const patron = patronOf(context.stores, username);
  const named = cookieValue(context.request.headers.get("Cookie"), PROGRAMME_COOKIE);
  if (named !== undefined) {
    if (PROGRAMME.test(named)) await patron.addPreferences({ pda: named, rpd: "0" });
    context.cookies.push(deletedCookie(PROGRAMME_COOKIE, context));
  }
  const preferences = await patron.preferences();
  const seconds = remember ? REMEMBERED_SECONDS : undefined;
  const programme = cookieText("pd", "1", { context, seconds, isReadable: true });
  context.cookies.push(specialAccess ? programme : deletedCookie("pd", context));
  setSafeModeCookie(context, preferences["safe_mode"] ?? "", seconds);
  const banner = preferences["yrg_banner_pref"] ?? "";
  if (BANNER_COOKIE.test(banner)) {
    context.cookies.push(cookieText(banner, "1", { context, seconds: YEAR_SECONDS }));
  }
}

export function deleteLoginCookies(context: RequestContext): void {
  for (const name of ["pd", "sfw"]) context.cookies.push(deletedCookie(name, context));
}

export function setProgrammeCookie(context: RequestContext, programme: string): void {
  context.cookies.push(cookieText(PROGRAMME_COOKIE, programme, { context }));
}

const DEVICE_COOKIE = "device";

/**
 * Returns the id of the request's device if it has been used to log in to the account before; otherwise undefined. It
 * proves no identity: failed logins with it are only counted apart from those of strangers, who therefore cannot lock
 * the owner out (Q149).
 */
export async function findKnownDevice(context: RequestContext, username: string) {
  const name = ownCookieName(DEVICE_COOKIE, context);
  const text = cookieValue(context.request.headers.get("Cookie"), name);
  const token = text === undefined ? undefined : await openToken(text, deviceSecrets(context));
  if (token?.username.toLowerCase() !== username.toLowerCase()) return undefined;
  const oldestAccepted = formatDatetime(context.now - YEAR_SECONDS * 1000);
  return token.time > oldestAccepted ? token.id : undefined;
}

/** Makes the account know the device of a request, instead of another account. */
export async function rememberDevice(context: RequestContext, username: string): Promise<void> {
  const [secret] = deviceSecrets(context);
  if (secret === undefined) return;
  const token = { username, time: formatDatetime(context.now).slice(0, 19), id: context.sources.newSecret() };
  const name = ownCookieName(DEVICE_COOKIE, context);
  context.cookies.push(cookieText(name, await sealToken(token, secret), { context, seconds: YEAR_SECONDS }));
}

/** Derives secrets that differ from those of sessions, so that neither cookie can replace the other. */
function deviceSecrets({ settings }: RequestContext): string[] {
  return secretsOf(settings).map((secret) => `device ${secret}`);
}

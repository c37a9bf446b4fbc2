import { cookieValue } from "../http/cookie.ts";
import type { RequestContext } from "../http/operation.ts";
import { REMEMBERED_SECONDS, cookieText, deletedCookie, patronOf } from "../http/session.ts";
import { BANNER_COOKIE, setSafeModeCookie } from "./preferences.ts";

const YEAR_SECONDS = 365 * 86_400;

/** Cookie with the programme for the print-disabled that the patron named at the registration. */
const PROGRAMME_COOKIE = "pda";
/** Pattern of the name of a programme for the print-disabled. */
export const PROGRAMME = /^[\w.-]{1,60}$/;

/** Sets the cookies that pages need after a login. */
export async function setLoginCookies(
  context: RequestContext,
  { username, specialAccess }: { readonly username: string; readonly specialAccess: boolean },
  remember: boolean,
): Promise<void> {
  await takeOverProgramme(context, username);
  const preferences = await patronOf(context.stores, username).preferences();
  const seconds = remember ? REMEMBERED_SECONDS : undefined;
  const programme = cookieText("pd", "1", { context, seconds, isReadable: true });
  context.cookies.push(specialAccess ? programme : deletedCookie("pd", context));
  setSafeModeCookie(context, preferences["safe_mode"] ?? "", seconds);
  const banner = preferences["yrg_banner_pref"] ?? "";
  if (BANNER_COOKIE.test(banner)) {
    context.cookies.push(cookieText(banner, "1", { context, seconds: YEAR_SECONDS }));
  }
}

/** Deletes the cookies set after a login, but not the session cookie. */
export function deleteLoginCookies(context: RequestContext): void {
  for (const name of ["pd", "sfw"]) context.cookies.push(deletedCookie(name, context));
}

/** Stores the programme in a cookie until the login that follows a registration. */
export function setProgrammeCookie(context: RequestContext, programme: string): void {
  context.cookies.push(cookieText(PROGRAMME_COOKIE, programme, { context }));
}

async function takeOverProgramme(context: RequestContext, username: string): Promise<void> {
  const programme = cookieValue(context.request.headers.get("Cookie"), PROGRAMME_COOKIE);
  if (programme === undefined) return;
  if (PROGRAMME.test(programme)) {
    await patronOf(context.stores, username).addPreferences({ pda: programme, rpd: "0" });
  }
  context.cookies.push(deletedCookie(PROGRAMME_COOKIE, context));
}

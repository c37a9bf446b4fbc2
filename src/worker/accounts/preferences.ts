import * as z from "zod";
import type { RequestContext } from "../http/operation.ts";
import { tellFollowers } from "./follow-privacy.ts";
import { cookieText, deletedCookie, patronOf } from "../http/session.ts";

/** Preferences of a new account. */
export const NEW_PREFERENCES = { public_readlog: "yes" };
/** What holds as long as nothing was chosen. */
const DEFAULTS = { public_readlog: "no", safe_mode: "", updates: "no" };

export const yesNo = z.enum(["yes", "no"]);
/** Cookie with which a banner of reading goals was dismissed. */
export const BANNER_COOKIE = /^yrg\d\d$/;

/** Preferences that a patron sets himself. All the others are read only. */
const OWN = z.strictObject({
  public_readlog: yesNo.optional(),
  safe_mode: yesNo.optional(),
  updates: yesNo.optional(),
  update: yesNo.optional(),
  notify: yesNo.optional(),
  yrg_banner_pref: z.string().regex(BANNER_COOKIE).optional(),
});

/** Changes of preferences as JSON (Q158): known names only, each with a value that it can have. */
export const preferenceChanges = OWN.transform((given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
);

/** All preferences of a patron, with those that he never set. */
export async function readPreferences(
  { stores }: Pick<RequestContext, "stores">,
  username: string,
): Promise<Record<string, string>> {
  return { ...DEFAULTS, ...(await patronOf(stores, username).preferences()) };
}

/** Sets some preferences of the patron whose request it is, and the cookie that follows from them; returns all. */
export async function savePreferences(
  context: RequestContext,
  username: string,
  changes: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const all = await storePreferences(context, username, changes);
  if (changes["safe_mode"] !== undefined) setSafeModeCookie(context, changes["safe_mode"]);
  return { ...DEFAULTS, ...all };
}

/** Sets some preferences of a patron, and has those who follow him learn whether he shows his reading log. */
export async function storePreferences(
  { stores }: Pick<RequestContext, "stores">,
  username: string,
  changes: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const all = await patronOf(stores, username).setPreferences(changes);
  // Whether anything is new does not matter: a call that failed half-way is made good by the next one.
  if (changes["public_readlog"] !== undefined) await tellFollowers(stores, username);
  return all;
}

/** Cookie `sfw`: pages blur some covers. */
export function setSafeModeCookie(context: RequestContext, safeMode: string, seconds?: number): void {
  const isSafe = safeMode === "yes";
  context.cookies.push(
    isSafe ? cookieText("sfw", "yes", { context, seconds }) : deletedCookie("sfw", context),
  );
}

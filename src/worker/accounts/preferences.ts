import * as z from "zod";
import type { RequestContext } from "../http/operation.ts";
import { noteVisibility } from "../../db/patrons/follows.ts";
import { followPrivacy } from "./follow.ts";
import { cookieText, deletedCookie, patronOf } from "../http/session.ts";

export const NEW_PREFERENCES = { public_readlog: "yes" };
const DEFAULTS = { public_readlog: "no", safe_mode: "", updates: "no" };

export const yesNo = z.enum(["yes", "no"]);
/** Cookie that records the dismissal of a reading-goal banner. */
export const BANNER_COOKIE = /^yrg\d\d$/;

/** Preferences that patrons set themselves. All others are read-only. */
const OWN = z.strictObject({
  public_readlog: yesNo.optional(),
  safe_mode: yesNo.optional(),
  updates: yesNo.optional(),
  update: yesNo.optional(),
  notify: yesNo.optional(),
  yrg_banner_pref: z.string().regex(BANNER_COOKIE).optional(),
});

/** Changes of preferences as JSON (Q158): known names only, each with a valid value. */
export const preferenceChanges = OWN.transform((changes) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
);

export async function readPreferences(
  { stores }: Pick<RequestContext, "stores">,
  username: string,
): Promise<Record<string, string>> {
  return { ...DEFAULTS, ...(await patronOf(stores, username).preferences()) };
}

/** Sets preferences of the patron of the request, and the cookie that follows from them; returns all preferences. */
export async function savePreferences(
  context: RequestContext,
  username: string,
  changes: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const all = await storePreferences(context, username, changes);
  if (changes["safe_mode"] !== undefined) setSafeModeCookie(context, changes["safe_mode"]);
  return { ...DEFAULTS, ...all };
}

/** Sets preferences of a patron, and notifies the followers if the visibility of the reading log is among them. */
export async function storePreferences(
  { stores, now }: Pick<RequestContext, "stores" | "now">,
  username: string,
  changes: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const publisher = username.toLowerCase();
  const isVisibility = changes["public_readlog"] !== undefined;
  // Comes first: the preference is in another store, and must not change without its job.
  if (isVisibility) await noteVisibility(stores.patrons, publisher, now);
  const all = await patronOf(stores, username).setPreferences(changes);
  if (isVisibility) await followPrivacy.send(stores, { publisher });
  return all;
}

/** Sets the cookie `sfw`, with which pages blur some covers, or deletes it. */
export function setSafeModeCookie(context: RequestContext, safeMode: string, seconds?: number): void {
  const isSafe = safeMode === "yes";
  const cookie = isSafe ? cookieText("sfw", "yes", { context, seconds }) : deletedCookie("sfw", context);
  context.cookies.push(cookie);
}

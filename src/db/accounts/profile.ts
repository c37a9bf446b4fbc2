import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { LinkPurpose } from "./links.ts";
import { account, accountLink } from "./rows.ts";

/** Fields that a service keeps with an account beside those that mean something here. */
export type Profile = Readonly<Record<string, string>>;

/** The profile of an account; empty when there is none. */
export async function readProfile(patrons: D1Database, username: string): Promise<Profile> {
  const [found] = await drizzle(patrons)
    .select({ data: account.data })
    .from(account)
    .where(eq(account.usernameFolded, username.toLowerCase()))
    .limit(1);
  return found?.data ?? {};
}

/** Stores the whole profile of an account; its size is the caller's to check. */
export async function writeProfile(patrons: D1Database, username: string, data: Profile): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ data })
    .where(eq(account.usernameFolded, username.toLowerCase()));
}

/** Where a link of an account was mailed, and until when it works (naive UTC); undefined when there is none. */
export async function readLink(
  patrons: D1Database,
  username: string,
  purpose: LinkPurpose,
): Promise<{ readonly email: string; readonly expires: string } | undefined> {
  const [found] = await drizzle(patrons)
    .select({ email: accountLink.email, expires: accountLink.expires })
    .from(accountLink)
    .where(and(eq(accountLink.usernameFolded, username.toLowerCase()), eq(accountLink.purpose, purpose)))
    .limit(1);
  return found;
}

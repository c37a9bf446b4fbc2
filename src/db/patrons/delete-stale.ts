import { and, eq, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

/**
 * Deletes registrations that were never confirmed and were made before a time in naive UTC, if they stand in the way of
 * a username or an address: their links no longer work.
 */
export async function deleteStaleRegistrations(
  patrons: D1Database,
  { username, email, before }: { readonly username: string; readonly email: string; readonly before: string },
): Promise<void> {
  await drizzle(patrons)
    .delete(account)
    .where(
      and(
        eq(account.status, "pending"),
        eq(account.hasRecords, false),
        lt(account.created, before),
        or(eq(account.usernameFolded, username.toLowerCase()), eq(account.emailFolded, email.toLowerCase())),
      ),
    );
}

import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { accountLink } from "../schema/patrons.ts";
import type { LinkPurpose } from "./links.ts";

/** Makes a link of an account void that may be on its way in a mail; unknown ones are no error. */
export async function deleteLink(patrons: D1Database, username: string, purpose: LinkPurpose): Promise<void> {
  await drizzle(patrons)
    .delete(accountLink)
    .where(and(eq(accountLink.usernameFolded, username.toLowerCase()), eq(accountLink.purpose, purpose)));
}

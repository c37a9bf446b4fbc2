import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

/** An account without its password. */
export interface FoundAccount {
  readonly username: string;
  readonly usernameFolded: string;
  readonly email: string;
  readonly status: "pending" | "active" | "blocked";
  readonly bot: boolean;
  readonly created: string;
}

const { username, usernameFolded, email, emailFolded, status, bot, created } = account;

/** The account with a username or an e-mail address, whatever the case; undefined when there is none. */
export async function findAccount(
  patrons: D1Database,
  by: { readonly username: string } | { readonly email: string },
): Promise<FoundAccount | undefined> {
  const condition =
    "username" in by
      ? eq(usernameFolded, by.username.toLowerCase())
      : eq(emailFolded, by.email.toLowerCase());
  const [found] = await drizzle(patrons)
    .select({ username, usernameFolded, email, status, bot, created })
    .from(account)
    .where(condition)
    .limit(1);
  return found;
}

import { and, asc, gt, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";
import { ACCOUNT_COLUMNS, type FoundAccount } from "./find-account.ts";

/** Accounts of one answer to an administrator. */
export const LISTED_ACCOUNTS_MAX = 100;

/** Above all texts that begin with what it follows. */
const AFTER_ALL = "\u{10FFFF}";

/** Which accounts an administrator looks for. */
export interface AccountSearch {
  /** What usernames, or addresses, begin with, whatever the case; "" for all. */
  readonly prefix: string;
  readonly by?: "username" | "email";
  /** The last username, or address, of the answer before. */
  readonly after?: string;
  readonly limit?: number;
}

/** Accounts whose username or e-mail address begins with a text, in its order; at most `LISTED_ACCOUNTS_MAX`. */
export async function listAccounts(patrons: D1Database, search: AccountSearch): Promise<FoundAccount[]> {
  const { by = "username", after, limit = LISTED_ACCOUNTS_MAX } = search;
  const column = by === "username" ? account.usernameFolded : account.emailFolded;
  const prefix = search.prefix.toLowerCase();
  return drizzle(patrons)
    .select(ACCOUNT_COLUMNS)
    .from(account)
    .where(
      and(
        gte(column, prefix),
        lt(column, prefix + AFTER_ALL),
        after === undefined ? undefined : gt(column, after.toLowerCase()),
      ),
    )
    .orderBy(asc(column))
    .limit(Math.min(limit, LISTED_ACCOUNTS_MAX));
}

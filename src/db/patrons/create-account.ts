import { eq, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

/** A registration: an account whose catalog records are still to be made. */
export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly displayname: string;
  /** Null: no login by password. */
  readonly passwordHash: string | null;
  /** `pending` until the e-mail address is confirmed. */
  readonly status: "pending" | "active";
  /** Naive UTC. */
  readonly created: string;
}

/** What another account has already. */
export type TakenField = "username" | "email";

/** Creates one account. One transaction; when it cannot, all the fields that are taken, whatever their case. */
export async function createAccount(
  patrons: D1Database,
  registration: Registration,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly taken: readonly TakenField[] }> {
  const database = drizzle(patrons);
  const usernameFolded = registration.username.toLowerCase();
  const emailFolded = registration.email.toLowerCase();
  const [created, others] = await database.batch([
    database
      .insert(account)
      .values({ ...registration, usernameFolded, emailFolded })
      .onConflictDoNothing()
      .returning({ username: account.username }),
    database
      .select({ username: account.usernameFolded, email: account.emailFolded })
      .from(account)
      .where(or(eq(account.usernameFolded, usernameFolded), eq(account.emailFolded, emailFolded))),
  ]);
  if (created.length > 0) return { ok: true };
  const taken: TakenField[] = [];
  if (others.some(({ username }) => username === usernameFolded)) taken.push("username");
  if (others.some(({ email }) => email === emailFolded)) taken.push("email");
  return { ok: false, taken };
}

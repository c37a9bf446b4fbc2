import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type FoundAccount, ACCOUNT_COLUMNS } from "./read.ts";
import { account, apiKey } from "./rows.ts";
import { isSameHash, secretHash } from "./secret-hash.ts";

/** A key pair with which a program is an account. */
export interface ApiKey {
  readonly access: string;
  readonly secret: string;
}

/** Stands for the stored hash of a key that does not exist, so that it takes as long. */
const NO_HASH = secretHash("");

/** Stores the key pair of an account, instead of the one that it had; only a hash of the secret is kept. */
export async function createApiKey(
  patrons: D1Database,
  key: ApiKey & {
    readonly username: string;
    /** Naive UTC. */
    readonly created: string;
  },
): Promise<void> {
  const { username, access, created } = key;
  const values = { access, secretHash: secretHash(key.secret), created };
  await drizzle(patrons)
    .insert(apiKey)
    .values({ usernameFolded: username.toLowerCase(), ...values })
    .onConflictDoUpdate({ target: apiKey.usernameFolded, set: values });
}

/** The account of a key pair; undefined when it is not a good one. Secrets are compared in constant time. */
export async function checkApiKey(
  patrons: D1Database,
  { access, secret }: ApiKey,
): Promise<FoundAccount | undefined> {
  const [found] = await drizzle(patrons)
    .select({ secretHash: apiKey.secretHash, account: ACCOUNT_COLUMNS })
    .from(apiKey)
    .innerJoin(account, eq(account.usernameFolded, apiKey.usernameFolded))
    .where(eq(apiKey.access, access))
    .limit(1);
  const isRight = isSameHash(secretHash(secret), found?.secretHash ?? NO_HASH);
  return isRight ? found?.account : undefined;
}

/** The public half of an account's key pair, and when it was made; undefined when it has none. */
export async function findApiKey(
  patrons: D1Database,
  username: string,
): Promise<{ readonly access: string; readonly created: string } | undefined> {
  const [found] = await drizzle(patrons)
    .select({ access: apiKey.access, created: apiKey.created })
    .from(apiKey)
    .where(eq(apiKey.usernameFolded, username.toLowerCase()))
    .limit(1);
  return found;
}

/** Makes the key pair of an account void. */
export async function deleteApiKey(patrons: D1Database, username: string): Promise<void> {
  await drizzle(patrons).delete(apiKey).where(eq(apiKey.usernameFolded, username.toLowerCase()));
}

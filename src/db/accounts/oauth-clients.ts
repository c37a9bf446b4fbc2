import { DAY_MS } from "../../catalog/units.ts";
import { type Database, batchRows, firstRow, run } from "../statement.ts";

/** App that may ask accounts for access: a row of `oauth_client` in D1 `PATRONS`. */
export interface OAuthClient {
  readonly id: string;
  /** Null: a public client, which has no secret. */
  readonly secretHash: string | null;
  readonly name: string;
  /** Web page of the app, or empty. */
  readonly uri: string;
  readonly redirects: readonly string[];
}

/** Registrations that were never used, so that a flood of them stays bounded. */
const UNUSED_MAX = 20_000;
/** Days after which a registration is deleted: if it was never used, and after its last use. */
const UNUSED_DAYS = 30;
const USED_DAYS = 400;
const DELETED_AT_ONCE = 1000;

/** Stores a registration, and deletes the oldest unused ones beyond their limit. `created`: milliseconds since the epoch. */
export async function addOAuthClient(
  patrons: Database,
  { id, secretHash, name, uri, redirects, created }: OAuthClient & { created: number },
): Promise<void> {
  await batchRows(patrons, [
    {
      sql: "INSERT INTO oauth_client (id, secret_hash, name, uri, redirects, created) VALUES (?, ?, ?, ?, ?, ?)",
      values: [id, secretHash, name, uri, JSON.stringify(redirects), created],
    },
    {
      sql: `DELETE FROM oauth_client WHERE id IN (SELECT id FROM oauth_client WHERE used IS NULL
            ORDER BY created DESC LIMIT -1 OFFSET ${UNUSED_MAX})`,
      values: [],
    },
  ]);
}

export async function findOAuthClient(patrons: Database, id: string): Promise<OAuthClient | undefined> {
  const sql = "SELECT id, secret_hash, name, uri, redirects FROM oauth_client WHERE id = ?";
  const row = await firstRow<
    Omit<OAuthClient, "secretHash" | "redirects"> & { secret_hash: string | null; redirects: string }
  >(patrons, { sql, values: [id] });
  if (row === undefined) return undefined;
  const { secret_hash: secretHash, redirects, ...fields } = row;
  return { ...fields, secretHash, redirects: JSON.parse(redirects) as string[] };
}

/** Notes that an app was used, to the day. */
export async function noteOAuthClientUse(patrons: Database, id: string, now: number): Promise<void> {
  const day = now - (now % DAY_MS);
  const sql = "UPDATE oauth_client SET used = ?1 WHERE id = ?2 AND (used IS NULL OR used < ?1)";
  await run(patrons, { sql, values: [day, id] });
}

/** Deletes registrations that are not used, some at a time. Returns true if there may be more. */
export async function deleteOldOAuthClients(patrons: Database, now: number): Promise<boolean> {
  const sql = `DELETE FROM oauth_client WHERE id IN (SELECT id FROM oauth_client
               WHERE (used IS NULL AND created < ?1) OR used < ?2 LIMIT ${DELETED_AT_ONCE})`;
  const values = [now - UNUSED_DAYS * DAY_MS, now - USED_DAYS * DAY_MS];
  return (await run(patrons, { sql, values })) >= DELETED_AT_ONCE;
}

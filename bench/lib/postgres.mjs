import { Client } from "pg";
import { setUpPostgres } from "../../scripts/lib/postgres-setup.mjs";
import { startPostgres } from "../../scripts/lib/postgres.mjs";

/** As much memory as a small server has for it; what is acknowledged is safe, as it is with D1. */
const SETTINGS = [
  "shared_buffers=1GB",
  "max_wal_size=4GB",
  "fsync=on",
  "synchronous_commit=on",
  "full_page_writes=on",
];

/**
 * A PostgreSQL with a database for Carrel and one for what it is measured against; without one when `catalog` is not
 * `postgres`.
 * @param {string | undefined} catalog
 * @returns {Promise<{ carrel: string | undefined, bare: string | undefined, stop: () => Promise<void> }>}
 */
export async function startCatalogs(catalog) {
  if (catalog !== "postgres") return { carrel: undefined, bare: undefined, stop: async () => {} };
  const { url, stop } = await startPostgres({ settings: SETTINGS });
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE DATABASE bare");
  await client.end();
  const bare = url.replace(/[^/]*$/, "bare");
  await Promise.all([url, bare].map(setUpPostgres));
  return { carrel: url, bare, stop };
}

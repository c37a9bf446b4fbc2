import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { freePorts } from "../../scripts/lib/service-process.mjs";
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
 * A PostgreSQL with a database for Carrel and one for what it is measured against, where `catalog` is `postgres`, and behind
 * PgBouncer where it is `pgbouncer`: Hyperdrive keeps connections open, too.
 * @param {string | undefined} catalog
 * @returns {Promise<{ carrel: string | undefined, bare: string | undefined, stop: () => Promise<void> }>}
 */
export async function startCatalogs(catalog) {
  if (catalog !== "postgres" && catalog !== "pgbouncer")
    return { carrel: undefined, bare: undefined, stop: async () => {} };
  const { url, stop } = await startPostgres({ settings: SETTINGS });
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE DATABASE bare");
  await client.end();
  const bare = url.replace(/[^/]*$/, "bare");
  await Promise.all([url, bare].map(setUpPostgres));
  if (catalog === "postgres") return { carrel: url, bare, stop };
  const pool = await startPool(url);
  const stopBoth = async () => {
    pool.stop();
    await stop();
  };
  return { carrel: pool.of(url), bare: pool.of(bare), stop: stopBoth };
}

/**
 * A PgBouncer in front of a PostgreSQL: a connection is a client's for as long as its transaction.
 * @param {string} url
 */
async function startPool(url) {
  const [port = 0] = await freePorts(1);
  const { hostname, port: behind } = new URL(url);
  const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-pool-"));
  chmodSync(folder, 0o755);
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${behind} user=postgres`,
    "[pgbouncer]",
    `listen_addr = ${hostname}`,
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "ignore_startup_parameters = extra_float_digits,search_path",
    "default_pool_size = 20",
  ];
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(file, settings.join("\n"));
  const child = spawn("pgbouncer", ["-q", "-u", "postgres", file], { stdio: "inherit" });
  return {
    of: (/** @type {string} */ one) => one.replace(`:${behind}/`, `:${port}/`),
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

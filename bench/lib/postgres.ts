import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { freePorts } from "../../scripts/lib/service-process.ts";
import { setUpPostgres } from "../../scripts/lib/postgres-setup.ts";
import { startPostgres } from "../../scripts/lib/postgres.ts";

/** Memory of a small server; acknowledged writes are durable, as with D1. */
const SETTINGS = [
  "shared_buffers=1GB",
  "max_wal_size=4GB",
  "fsync=on",
  "synchronous_commit=on",
  "full_page_writes=on",
];

/**
 * Starts a PostgreSQL with a database for Carrel and one for the baseline if `catalog` is `postgres`; behind
 * PgBouncer, which keeps connections open as Hyperdrive does, if it is `pgbouncer`.
 */
export async function startCatalogs(
  catalog: string | undefined,
): Promise<{ carrel: string | undefined; bare: string | undefined; stop: () => Promise<void> }> {
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

/** Starts a PgBouncer, which assigns a connection to a client for one transaction. */
async function startPool(url: string) {
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
    of: (one: string) => one.replace(`:${behind}/`, `:${port}/`),
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

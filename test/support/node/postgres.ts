import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { setUpPostgres } from "../../../scripts/lib/postgres-setup.ts";
import { postgresPrograms, startPostgres } from "../../../scripts/lib/postgres.ts";
import { poolBefore } from "./postgres-pool.ts";
import { reportSkip } from "./skips.ts";

/** Place of the tests' catalogs. */
interface Catalogs {
  readonly server: string;
  /** Address of the pool before the server; of the server itself without a pool. */
  readonly pool: string;
  /** Prefix of the names of their databases. */
  readonly prefix: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined where there is no PostgreSQL. */
    postgres: Catalogs | undefined;
  }
}

/** Address of an existing server in which the tests create and drop their databases. */
const SERVER = process.env["CATALOG_URL"];

/** True if tests can reach or start a PostgreSQL. */
export const hasPostgres = SERVER !== undefined || postgresPrograms() !== undefined;

/** Starts a PostgreSQL, or says why not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest 5.0.5 maps the stacks of its own errors by what it has read of this file, breaks off at that, and shows no failure.
  Reflect.deleteProperty(Error, "prepareStackTrace");
  if (!hasPostgres) {
    reportSkip("postgres");
    project.provide("postgres", undefined);
    return async () => {};
  }
  const { catalogs, stop } = await startCatalogs();
  project.provide("postgres", catalogs);
  return stop;
}

/** A server for catalogs, until `stop`. */
export async function startCatalogs(): Promise<{ catalogs: Catalogs; stop: () => Promise<void> }> {
  const prefix = `carrel_test_${randomUUID().slice(0, 8)}_`;
  if (SERVER !== undefined) {
    return {
      catalogs: { server: SERVER, pool: SERVER, prefix },
      stop: () => dropDatabases(SERVER, prefix),
    };
  }
  const { url, stop } = await startPostgres();
  const pool = await poolBefore(url);
  return {
    catalogs: { server: url, pool: pool.url, prefix },
    stop: () => {
      pool.close();
      return stop();
    },
  };
}

let count = 0;

/** Makes a catalog without records; resolves to its address in the pool. */
export async function newCatalog(catalogs: Catalogs): Promise<string> {
  const name = `${catalogs.prefix}${(count += 1)}`;
  await asked(catalogs.server, (client) => client.query(`CREATE DATABASE ${name}`));
  await setUpPostgres(databaseOf(catalogs.server, name));
  return databaseOf(catalogs.pool, name);
}

async function dropDatabases(server: string, prefix: string): Promise<void> {
  await asked(server, async (client) => {
    const { rows } = await client.query("SELECT datname AS name FROM pg_database");
    for (const { name } of rows) {
      if (String(name).startsWith(prefix)) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
}

async function asked(server: string, ask: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await ask(client);
  } finally {
    await client.end();
  }
}

/** Address of a database beside the one that an address names. */
function databaseOf(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

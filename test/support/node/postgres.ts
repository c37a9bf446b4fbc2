import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { setUpPostgres } from "../../../scripts/lib/postgres-setup.mjs";
import { postgresPrograms, startPostgres } from "../../../scripts/lib/postgres.mjs";
import { poolBefore } from "./postgres-pool.ts";

interface Addresses {
  readonly server: string;
  readonly pool: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where the PostgreSQL of the tests is, and its pool; undefined where none can be started. */
    postgres: Addresses | undefined;
  }
}

/** Starts a PostgreSQL, or says why not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest 5.0.5 maps the stacks of its own errors by what it has read of this file, breaks off at that, and shows no failure.
  Reflect.deleteProperty(Error, "prepareStackTrace");
  if (postgresPrograms() === undefined) {
    console.log("catalogs in PostgreSQL: skipped: there is no PostgreSQL here (apt-get install postgresql)");
    project.provide("postgres", undefined);
    return async () => {};
  }
  const { url, stop } = await startPostgres();
  const pool = await poolBefore(url);
  project.provide("postgres", { server: url, pool: pool.url });
  return async () => {
    pool.close();
    await stop();
  };
}

let catalogs = 0;

/** Makes an empty catalog in a PostgreSQL; resolves to its address in the pool. */
export async function newCatalog({ server, pool }: Addresses): Promise<string> {
  const name = `catalog_${(catalogs += 1)}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  await setUpPostgres(new URL(name, server).href);
  return new URL(name, pool).href;
}

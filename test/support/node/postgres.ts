import type { TestProject } from "vitest/node";
import { setUpPostgres } from "../../../scripts/lib/postgres-setup.mjs";
import { postgresPrograms, startPostgres } from "../../../scripts/lib/postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the PostgreSQL of the tests is; empty where none can be started. */
    postgres: string;
  }
}

/** Starts a PostgreSQL with an empty catalog, or says why not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (postgresPrograms() === undefined) {
    console.log("catalogs in PostgreSQL: skipped: there is no PostgreSQL here (apt-get install postgresql)");
    project.provide("postgres", "");
    return async () => {};
  }
  const { url, stop } = await startPostgres();
  await setUpPostgres(url);
  project.provide("postgres", url);
  return stop;
}

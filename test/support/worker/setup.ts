import { env } from "cloudflare:workers";
import { afterAll, beforeEach, vi } from "vitest";
import { isPostgres, useCatalogOfPostgres } from "./postgres.ts";
import { emptyStores } from "./stored.ts";

if (isPostgres) useCatalogOfPostgres();

// Work in the background can log after the last test of a file. Vitest takes no more messages then, and a message on
// its way fails the run.
vi.unstubAllGlobals();
afterAll(() => {
  vi.stubGlobal("console", new Proxy(console, { get: () => () => undefined }));
});

// Files share a runtime, so each begins by emptying what the one before has left.
await emptyStores();

// The project of Solr without one.
if (env.EQUALITY !== undefined && env.SOLR_URL === "") beforeEach(({ skip }) => skip("there is no Solr"));
// The project of PostgreSQL without one.
if (env.CATALOG_BACKEND === "postgres" && !isPostgres)
  beforeEach(({ skip }) => skip("there is no PostgreSQL"));

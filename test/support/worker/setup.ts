import { env } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { isPostgres, useCatalogOfPostgres } from "./postgres.ts";
import { emptyStores } from "./stored.ts";

if (isPostgres) useCatalogOfPostgres();

// Files share a runtime, so each begins by emptying what the one before has left.
await emptyStores();

// The project of Solr without one.
if (env.EQUALITY !== undefined && env.SOLR_URL === "") beforeEach(({ skip }) => skip("there is no Solr"));
// The project of PostgreSQL without one.
if (env.CATALOG_BACKEND === "postgres" && !isPostgres)
  beforeEach(({ skip }) => skip("there is no PostgreSQL"));

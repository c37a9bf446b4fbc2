import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

await applyD1Migrations(env.CATALOG, env.MIGRATIONS.catalog);
await applyD1Migrations(env.SEARCH, env.MIGRATIONS.search);
await applyD1Migrations(env.PATRONS, env.MIGRATIONS.patrons);

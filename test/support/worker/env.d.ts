import type { D1Migration } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      LOAD_TOKEN: string;
      COVERS_SECRET: string;
      LINK_SECRET: string;
      SESSION_SECRET: string;
      ANONYMIZE_SECRET: string;
      LENDING_SECRET: string;
      LENDING_KEY: string;
      READER_SECRET: string;
      IDENTITY_PROVIDER: string;
      XAUTH_URL: string;
      XAUTH_KEY_URL: string;
      OIDC_ISSUER: string;
      OIDC_CLIENT_ID: string;
      FORWARD_AUTH_SECRET: string;
      /** Works and queries that engines are compared by; only where there is a Solr to compare. */
      EQUALITY?: string;
      /** `postgres`: tests run on a catalog in PostgreSQL, or not at all. */
      CATALOG_BACKEND?: string;
      CATALOG_POSTGRES?: Hyperdrive;
      /** Only in the project `worker-slow`. */
      CATALOG_REPLICA: D1Database;
      PATRONS_REPLICA: D1Database;
      MIGRATIONS: Record<"catalog" | "search" | "patrons", D1Migration[]>;
    }
  }
}

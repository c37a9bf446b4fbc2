import type { D1Migration } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      LOAD_TOKEN: string;
      MIGRATIONS: Record<"catalog" | "search" | "patrons", D1Migration[]>;
    }
  }
}

import { Connection } from "./postgres-connection.ts";
import { createPostgresStore } from "./postgres-store.ts";
import type { Store } from "./statement.ts";

/** Bindings of a catalog in PostgreSQL: one without a cache, and one that may have a cache or lead to a replica. */
interface PostgresBindings {
  readonly CATALOG_POSTGRES?: Hyperdrive;
  readonly CATALOG_NEAR?: Hyperdrive;
}

/**
 * Returns the catalog of an environment: PostgreSQL if it is bound, otherwise D1. A PostgreSQL store serves one
 * request, message batch or object, with connections of its own.
 */
export function catalogOf(env: Env & PostgresBindings): Store {
  const { CATALOG_POSTGRES: bound, CATALOG_NEAR: near } = env;
  if (bound === undefined) return env.CATALOG;
  const primary = new Connection(bound);
  return createPostgresStore({ primary, near: near === undefined ? primary : new Connection(near) });
}

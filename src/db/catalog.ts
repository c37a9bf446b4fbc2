import { Connection } from "./postgres-connection.ts";
import { createPostgresStore } from "./postgres-store.ts";
import type { Store } from "./statement.ts";

/** Bindings of a catalog in PostgreSQL: without a cache, and one that may have one, or lead to a replica. */
interface PostgresBindings {
  readonly CATALOG_POSTGRES?: Hyperdrive;
  readonly CATALOG_NEAR?: Hyperdrive;
}

/**
 * The catalog of an environment: in PostgreSQL where that is bound, else D1. The first is for one request, batch of messages
 * or object, which has connections of its own.
 */
export function catalogOf(env: Env & PostgresBindings): Store {
  const { CATALOG_POSTGRES: bound, CATALOG_NEAR: near } = env;
  if (bound === undefined) return env.CATALOG;
  const primary = new Connection(bound);
  return createPostgresStore({ primary, near: near === undefined ? primary : new Connection(near) });
}

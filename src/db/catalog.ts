import type { Store } from "./statement.ts";

/** The catalog that an isolate or object works on. */
export function catalogOf(env: Pick<Env, "CATALOG">): Store {
  return env.CATALOG;
}

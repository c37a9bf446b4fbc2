import { readServiceState } from "../../db/service-state.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import type { Route } from "../operation.ts";

/** After how many seconds somebody may ask again whether the service is still read-only. */
export const READ_ONLY_RETRY_SECONDS = 300;

/** True for routes that change something, some by a link in a mail: closed while the service is read-only. */
export function isClosedInReadOnly({ method, access, operation }: Route): boolean {
  if (operation.inReadOnly !== undefined) return !operation.inReadOnly;
  return method !== "GET" && access !== "operator";
}

/** Refuses to go on while the service is read-only. One read of the primary. */
export async function requireWritable({ stores }: RequestContext): Promise<void> {
  const state = await readServiceState(stores.catalog, "read_only");
  if (state?.value !== "on") return;
  const message = "The catalog is read-only at present.";
  throw new CarrelError(503, "read_only", {
    message,
    body: { error: "read_only", message, detail: message },
    headers: { "Retry-After": String(READ_ONLY_RETRY_SECONDS) },
  });
}

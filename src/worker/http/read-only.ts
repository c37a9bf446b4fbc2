import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { setServiceState, readServiceState } from "../../db/service/service-state.ts";
import { CarrelError } from "./errors.ts";
import type { LoadedRoute, RequestContext } from "./operation.ts";

export const READ_ONLY_RETRY_SECONDS = 300;

/** Value of `by` if `npm start` made the service read-only (scripts/lib/disk-watch.ts). */
const FULL_DISK = "a full disk";

export function isClosedInReadOnly({
  method,
  access,
  operation,
}: Pick<LoadedRoute, "method" | "access" | "operation">): boolean {
  if (operation.inReadOnly !== undefined) return !operation.inReadOnly;
  return method !== "GET" && access !== "operator";
}

/** Throws 503 while the service is read-only. Reads the primary once per request. */
export async function requireWritable(context: RequestContext): Promise<void> {
  const { service: state } = await context.accessState();
  if (state?.value !== "on") return;
  const reason = state.by === FULL_DISK ? ": the disk of the service is full" : "";
  const message = `The catalog is read-only right now${reason}.`;
  throw new CarrelError(503, "read_only", {
    message,
    body: { error: "read_only", message, detail: message },
    headers: { "Retry-After": String(READ_ONLY_RETRY_SECONDS) },
  });
}

/** Read-only mode, with the author and time (naive UTC) of the last switch. */
export const readOnlySchema = z.object({
  read_only: z.boolean(),
  changed: z.string().nullable(),
  by: z.string().nullable(),
});
export type ReadOnlyMode = z.infer<typeof readOnlySchema>;

export async function readOnlyMode({ stores }: RequestContext): Promise<ReadOnlyMode> {
  const state = await readServiceState(stores.catalog);
  return { read_only: state?.value === "on", changed: state?.changed ?? null, by: state?.by ?? null };
}

/** Switches read-only mode. On return, writes in progress respect it too. */
export async function setReadOnly(context: RequestContext, isReadOnly: boolean): Promise<ReadOnlyMode> {
  const { key: by } = await context.actor();
  const changed = formatDatetime(context.now);
  await setServiceState(context.stores.catalog, { value: isReadOnly ? "on" : "off", changed, by });
  return { read_only: isReadOnly, changed, by };
}

import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import {
  type AccessState,
  readAccessState,
  readServiceState,
  setServiceState,
} from "../../db/service/service-state.ts";
import { IsolateMemo } from "./isolate-cache.ts";
import type { LoadedRoute, RequestContext } from "./operation.ts";
import { failure } from "./failure.ts";
import { english } from "../../catalog/texts.ts";

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

/** Access states for changes of own data, by the patron's key. At most five seconds old. */
const recentAccess = new IsolateMemo(({ stores }: RequestContext, key) =>
  readAccessState(stores.catalog, key),
);

/** Throws 503 while the service is read-only. Reads the primary once per request. */
export async function requireWritable(context: RequestContext): Promise<void> {
  checkWritable(await context.accessState());
}

/**
 * Throws 503 while the service is read-only, by a state that may be five seconds old: nothing else has a copy of a
 * patron's own data that must stay equal.
 */
export async function requireWritableOwnData(context: RequestContext, key: string): Promise<void> {
  checkWritable(await recentAccess.get(context, key, READ_ONLY_GROUP));
}

/** Returns true if the account with this key may not change its own data. Changes of the group take five seconds. */
export async function isReadOnlyAccount(context: RequestContext, key: string): Promise<boolean> {
  const { groups } = await recentAccess.get(context, key, READ_ONLY_GROUP);
  return groups.includes(READ_ONLY_GROUP);
}

function checkWritable({ service: state }: AccessState): void {
  if (state?.value !== "on") return;
  const key = state.by === FULL_DISK ? "unavailable.disk_full" : "unavailable.read_only";
  const message = english({ key });
  const body = { error: "read_only", message, detail: message };
  throw failure(key, {}, { code: "read_only", body, retryAfter: READ_ONLY_RETRY_SECONDS });
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

/**
 * Switches read-only mode. On return, catalog writes in progress respect it too; changes of patrons' own data do within
 * five seconds.
 */
export async function setReadOnly(context: RequestContext, isReadOnly: boolean): Promise<ReadOnlyMode> {
  const { key: by } = await context.actor();
  const changed = formatDatetime(context.now);
  await setServiceState(context.stores.catalog, { value: isReadOnly ? "on" : "off", changed, by });
  recentAccess.forget(context);
  return { read_only: isReadOnly, changed, by };
}

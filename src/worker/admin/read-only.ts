import { datetimeText } from "../../catalog/datetime.ts";
import { readServiceState, setServiceState } from "../../db/service-state.ts";
import type { RequestContext } from "../context.ts";

/** Whether anything can be changed, and who has decided that when (naive UTC). */
export interface ReadOnlyMode {
  readonly read_only: boolean;
  readonly changed: string | null;
  readonly by: string | null;
}

/** Whether the service is read-only. */
export async function readOnlyMode({ stores }: RequestContext): Promise<ReadOnlyMode> {
  const state = await readServiceState(stores.catalog, "read_only");
  return { read_only: state?.value === "on", changed: state?.changed ?? null, by: state?.by ?? null };
}

/** Makes the service read-only, or ends that. When it returns, changes that were under way know of it too. */
export async function setReadOnly(context: RequestContext, isReadOnly: boolean): Promise<ReadOnlyMode> {
  const { key: by } = await context.actor();
  const changed = datetimeText(context.now);
  await setServiceState(context.stores.catalog, "read_only", {
    value: isReadOnly ? "on" : "off",
    changed,
    by,
  });
  return { read_only: isReadOnly, changed, by };
}

import type { RequestContext, Stores } from "../context.ts";
import { adapterChecks } from "./adapter-checks.ts";
import { type Check, type CheckResult, runChecks } from "./check.ts";
import { queueChecks } from "./queue-checks.ts";
import { storeChecks } from "./store-checks.ts";

/** Folder of R2 objects that are written, read and removed again to see whether that works. */
const PROBES = "status/";

/**
 * Everything that can be looked at from here, anew each time: writing into the buckets, backlogs of queues and the other
 * services that are configured, besides what `/status` tells.
 */
export function deepChecks({
  stores,
  settings,
  sources,
}: Pick<RequestContext, "stores" | "settings" | "sources">): Promise<CheckResult[]> {
  const name = PROBES + sources.newSecret();
  const checks = [
    ...storeChecks(stores),
    ...writeChecks(stores, name),
    ...queueChecks(stores),
    ...adapterChecks(settings),
  ];
  return runChecks(checks, sources);
}

function writeChecks({ covers, archive }: Stores, name: string): Check[] {
  const buckets = { covers_write: covers, archive_write: archive };
  return Object.entries(buckets).map(([check, bucket]) => ({
    name: check,
    isRequired: true,
    run: () => writeAndRead(bucket, name),
  }));
}

async function writeAndRead(bucket: R2Bucket, name: string): Promise<undefined> {
  await bucket.put(name, name);
  try {
    const object = await bucket.get(name);
    if ((await object?.text()) !== name) throw new Error("what was written is not what is read");
  } finally {
    await bucket.delete(name);
  }
  return undefined;
}

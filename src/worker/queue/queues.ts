import type { Stores } from "../context.ts";
import type { QueueName } from "./queue-names.ts";

/** The queues by name. */
export function queuesOf(stores: Stores): Readonly<Record<QueueName, Queue>> {
  return {
    "carrel-index": stores.indexQueue,
    "carrel-lookups": stores.lookupQueue,
    "carrel-activity": stores.activityQueue,
    "carrel-patron-jobs": stores.patronJobs,
    "carrel-imports": stores.importQueue,
    "carrel-cover-jobs": stores.coverJobs,
    "carrel-dumps": stores.dumpJobs,
  };
}

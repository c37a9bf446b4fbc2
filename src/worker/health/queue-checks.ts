import type { Stores } from "../context.ts";
import type { Check, Numbers } from "./check.ts";

/** Checks of the queues: how many messages wait there, as far as the platform says. */
export function queueChecks(stores: Stores): Check[] {
  const queues = {
    index: stores.indexQueue,
    lookups: stores.lookupQueue,
    activity: stores.activityQueue,
    patron_jobs: stores.patronJobs,
    imports: stores.importQueue,
    cover_jobs: stores.coverJobs,
    dumps: stores.dumpJobs,
  };
  return Object.entries(queues).map(([name, queue]) => ({
    name: `queue_${name}`,
    isRequired: true,
    run: () => backlogOf(queue),
  }));
}

async function backlogOf(queue: Queue): Promise<Numbers> {
  const { backlogCount, backlogBytes } = await queue.metrics();
  return { messages: backlogCount, bytes: backlogBytes };
}

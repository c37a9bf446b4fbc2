import type { Stores } from "../context.ts";
import { queuesOf } from "../queue/queues.ts";
import type { Check, Numbers } from "./check.ts";

/** Checks of the queues: how many messages wait there, as far as the platform says. */
export function queueChecks(stores: Stores): Check[] {
  return Object.entries(queuesOf(stores)).map(([name, queue]) => ({
    name: name.replace("carrel-", "queue_").replace("-", "_"),
    isRequired: true,
    run: () => backlogOf(queue),
  }));
}

async function backlogOf(queue: Queue): Promise<Numbers> {
  const { backlogCount, backlogBytes } = await queue.metrics();
  return { messages: backlogCount, bytes: backlogBytes };
}

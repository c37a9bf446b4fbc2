import type { Stores } from "../context.ts";
import { wakeListeners } from "../feed/wake-listeners.ts";
import { announceChange } from "../queue/announce.ts";

/** Tells projections and listeners of a change that was made without a request. A failure is logged only. */
export async function tellOfChange(
  { indexQueue, changeFeed }: Pick<Stores, "indexQueue" | "changeFeed">,
  change: number,
): Promise<void> {
  await announceChange(indexQueue, change);
  await wakeListeners(changeFeed, change);
}

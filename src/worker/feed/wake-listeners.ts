import { FEED_NAME } from "../../durable/change-feed/names.ts";
import type { Stores } from "../context.ts";
import { logLine } from "../log.ts";

/** Tells those who wait for changes of one. A failure is logged only: they look into the log now and then. */
export async function wakeListeners(feed: Stores["changeFeed"], change: number): Promise<void> {
  try {
    await feed.getByName(FEED_NAME).announce(change);
  } catch (error) {
    logLine("error", "wake-listeners", { change, error: String(error) });
  }
}

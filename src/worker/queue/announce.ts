import { logLine } from "../log.ts";

/** Message of the `index` queue: a change was stored. Messages may be lost or doubled: cursors decide. */
export interface ChangeMessage {
  readonly change: number;
}

/** Tells the projections of a change. A failure is logged only: the sweep finds the change all the same. */
export async function announceChange(queue: Queue, change: number): Promise<void> {
  const message: ChangeMessage = { change };
  try {
    await queue.send(message);
  } catch (error) {
    logLine("error", "announce", { change, error: String(error) });
  }
}

import { logLine } from "../http/log.ts";

/** Message of the queue `carrel-cover-jobs`: the number of a pending cover. Messages may be lost, doubled, or late. */
export interface CoverMessage {
  readonly cover: number;
}

/** Has the image of a pending cover fetched. A failure is logged only: the sweep finds the cover all the same. */
export async function queueCover(queue: Queue, cover: number, delaySeconds = 0): Promise<void> {
  const message: CoverMessage = { cover };
  try {
    await queue.send(message, { delaySeconds });
  } catch (error) {
    logLine("error", "cover", { cover, error: String(error) });
  }
}

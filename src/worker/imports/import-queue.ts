import * as z from "zod";
import { sendAll, sendOrLog } from "../http/queue.ts";

export const MESSAGE_ITEMS_MAX = 10;

export function queueItems(queue: Queue, ids: readonly number[], delaySeconds = 0): Promise<void> {
  const bodies = Array.from(
    { length: Math.ceil(ids.length / MESSAGE_ITEMS_MAX) },
    (_, index): z.infer<typeof itemsMessage> => ({
      items: ids.slice(index * MESSAGE_ITEMS_MAX, (index + 1) * MESSAGE_ITEMS_MAX),
    }),
  );
  const fields = { items: ids.length, problem: "not sent" };
  return sendOrLog("imports", fields, () => sendAll(queue, bodies, delaySeconds));
}

export function queueSplit(queue: Queue, batch: number, delaySeconds = 0): Promise<void> {
  const body: z.infer<typeof splitMessage> = { split: batch };
  return sendOrLog("imports", { batch, problem: "not sent" }, () => queue.send(body, { delaySeconds }));
}

/**
 * Messages of the queue `carrel-imports`: a file to split, `{"split": 3}`, or items to import, `{"items": [17, 18]}`.
 */
export const splitMessage = z.object({ split: z.int().positive() });
export const itemsMessage = z.object({ items: z.array(z.int().positive()).min(1) });

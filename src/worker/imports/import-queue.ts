import * as z from "zod";
import { sendOrLog } from "../http/queue.ts";

export const MESSAGE_ITEMS_MAX = 10;
/** Maximum number of messages per `sendBatch` call, set by the platform. */
const SEND_BATCH_MAX = 100;

export function queueItems(queue: Queue, ids: readonly number[], delaySeconds = 0): Promise<void> {
  const messages = chunksOf(ids, MESSAGE_ITEMS_MAX).map((items) => ({
    body: { items } satisfies z.infer<typeof itemsMessage>,
  }));
  return sendOrLog("imports", { items: ids.length, problem: "not sent" }, async () => {
    for (const group of chunksOf(messages, SEND_BATCH_MAX)) await queue.sendBatch(group, { delaySeconds });
  });
}

export function queueSplit(queue: Queue, batch: number, delaySeconds = 0): Promise<void> {
  const body: z.infer<typeof splitMessage> = { split: batch };
  return sendOrLog("imports", { batch, problem: "not sent" }, () => queue.send(body, { delaySeconds }));
}

function chunksOf<Element>(list: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Messages of the queue `carrel-imports`: a file to split, or items to import. They only hold numbers. */
export const splitMessage = z.object({ split: z.int().positive() });
export const itemsMessage = z.object({ items: z.array(z.int().positive()).min(1) });

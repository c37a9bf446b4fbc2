import * as z from "zod";
import { logLine } from "../http/log.ts";

/** Items of one message; they are imported side by side. */
export const MESSAGE_ITEMS_MAX = 10;
/** Messages that the platform takes at a time. */
const SENT_TOGETHER = 100;

/** Sends items to be imported. A failure is logged only: the sweep finds what nobody has been told of. */
export async function queueItems(queue: Queue, ids: readonly number[], delaySeconds = 0): Promise<void> {
  const bodies = parts(ids, MESSAGE_ITEMS_MAX).map((items): ItemsMessage => ({ items }));
  try {
    for (const some of parts(bodies, SENT_TOGETHER)) {
      await queue.sendBatch(
        some.map((body) => ({ body })),
        { delaySeconds },
      );
    }
  } catch (error) {
    logLine("error", "imports", { items: ids.length, problem: "not sent", error: String(error) });
  }
}

/** Has the file of a batch split on. A failure is logged only, as above. */
export async function queueSplit(queue: Queue, batch: number, delaySeconds = 0): Promise<void> {
  const body: SplitMessage = { split: batch };
  try {
    await queue.send(body, { delaySeconds });
  } catch (error) {
    logLine("error", "imports", { batch, problem: "not sent", error: String(error) });
  }
}

function parts<Element>(list: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Messages of the queue `carrel-imports`: a file to be split on, or items to be imported. They hold numbers only. */
export const splitMessage = z.object({ split: z.int().positive() });
export const itemsMessage = z.object({ items: z.array(z.int().positive()).min(1) });

type SplitMessage = z.infer<typeof splitMessage>;
type ItemsMessage = z.infer<typeof itemsMessage>;

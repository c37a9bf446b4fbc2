import * as z from "zod";
import { logLine } from "../log.ts";

/** Message of the queue `carrel-dumps`: the next step of a dump is to be done. */
export const dumpMessage = z.object({ dump: z.int().positive(), step: z.int().gte(0) });
export type DumpMessage = z.infer<typeof dumpMessage>;

/** Has a dump gone on with. A failure is logged only: the sweep finds the dump all the same. */
export async function queueDump(queue: Queue, message: DumpMessage): Promise<void> {
  try {
    await queue.send(message);
  } catch (error) {
    logLine("error", "dump", { ...message, error: String(error) });
  }
}

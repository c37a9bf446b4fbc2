import { logLine, loggable } from "../http/log.ts";
import type { Jobs } from "../http/queue.ts";
import { dumpMessage } from "./begin.ts";
import { DumpProblem } from "./step.ts";
import { workDump } from "./work.ts";

/** Seconds until a step that failed is tried again; each further time twice as long. */
const DUMP_WAIT_SECONDS = 30;

/** Works on dumps, a few steps a message. One that fails is delivered again, later and later. */
export async function workDumps(messages: readonly Message[], jobs: Jobs): Promise<void> {
  for (const message of messages) {
    const { data } = dumpMessage.safeParse(message.body);
    try {
      if (data === undefined) logLine("error", "dump", { message: message.id, problem: "not a dump" });
      else await workDump(data, jobs);
      message.ack();
    } catch (error) {
      if (error instanceof DumpProblem) message.ack();
      else {
        logLine("error", "dump", { message: message.id, error: String(loggable(error)) });
        message.retry({ delaySeconds: DUMP_WAIT_SECONDS * 2 ** (message.attempts - 1) });
      }
    }
  }
}

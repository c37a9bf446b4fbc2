import { doubling, queue } from "../http/queue.ts";
import { dumpMessage } from "./begin.ts";
import { DumpProblem } from "./step.ts";
import { workDump } from "./work.ts";

/** Seconds until a step that failed is tried again; each further time twice as long. */
const DUMP_WAIT_SECONDS = 30;

/** Dumps, a few steps a message. */
export const dumpQueue = queue({
  name: "carrel-dumps",
  event: "dump",
  misfit: "not a dump",
  message: dumpMessage,
  retry: doubling(DUMP_WAIT_SECONDS),
  async work(message, jobs) {
    try {
      await workDump(message, jobs);
    } catch (error) {
      // The dump has failed, and trying again would not mend it.
      if (!(error instanceof DumpProblem)) throw error;
    }
  },
});

import * as z from "zod";
import { DUMP_KINDS } from "../../../catalog/dumps/files.ts";
import { DAY_MS, beginDelta, beginFull, dayOf, startOf } from "../../dumps/begin-dump.ts";
import { queueDump } from "../../dumps/queue-dump.ts";
import { badData, unavailable } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { dumpSchema, seenDump } from "./schemas.ts";

/** Largest body, in bytes. */
export const DUMP_BODY_BYTES = 1024;

/** `POST /system/dumps`: begins a dump, or goes on with the one of that day. */
export const beginDumpNow = operation({
  id: "beginDump",
  summary: "Begin a dump of everything, or of the revisions of a day",
  tag: "operation",
  json: z
    .strictObject({
      kind: z.enum(DUMP_KINDS).default("full"),
      date: z.iso.date().optional().describe("Of a delta: a day that is over; yesterday unless stated"),
    })
    .optional(),
  bodyBytes: DUMP_BODY_BYTES,
  responses: {
    200: {
      description: "The dump: a new one, or that of this day, which is gone on with if it is open",
      schema: z.object({ is_new: z.boolean(), dump: dumpSchema }),
    },
    400: { description: "A date that is not over yet, or one for a dump of everything" },
  },
  async handle({ json: wish }, { stores, sources }) {
    const { kind = "full", date } = wish ?? {};
    const now = sources.now();
    const day = date ?? dayOf(now - DAY_MS);
    if (kind === "full" && date !== undefined) throw badData("A dump of everything is of today.");
    if (startOf(day) + DAY_MS > now) throw badData("That day is not over yet.");
    const jobs = { stores, sources };
    const { dump, isNew } = kind === "full" ? await beginFull(jobs) : await beginDelta(day, jobs);
    // It has been deleted in between, or a dump of another day was begun.
    if (dump === undefined) throw unavailable("Another dump is just being begun or deleted. Try again.");
    const isLeft = !isNew && dump.stage !== "done";
    if (isLeft) await queueDump(stores.dumpJobs, { dump: dump.id, step: dump.step });
    return json({ is_new: isNew, dump: seenDump(dump) }, { cacheControl: NO_STORE });
  },
});

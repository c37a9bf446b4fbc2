import * as z from "zod";
import { listDumps } from "../../../db/dumps/dumps.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { dumpSchema, seenDump } from "./schemas.ts";

/** Dumps that are shown: all that are kept, so that whoever waits for the one of an old day finds it, and some that failed. */
export const DUMPS_SHOWN = 200;

/** `GET /system/dumps.json`: how dumps stand, those that were not published too. */
export const dumpStates = operation({
  id: "dumpStates",
  summary: "How dumps stand",
  tag: "operation",
  responses: {
    200: {
      description: `The newest ${DUMPS_SHOWN}`,
      schema: z.object({
        dumps: z.array(dumpSchema.extend({ lines: z.int().describe("Packed so far, of an open one") })),
      }),
    },
  },
  async handle(_input, { stores }) {
    const found = await listDumps(stores.catalog, DUMPS_SHOWN);
    const dumps = found.map((row) => Object.assign(seenDump(row), { lines: row.lines }));
    return json({ dumps }, { cacheControl: NO_STORE });
  },
});

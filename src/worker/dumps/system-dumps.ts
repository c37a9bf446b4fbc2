import * as z from "zod";
import { type DumpKind, DUMP_KINDS } from "../../catalog/dumps/dump-files.ts";
import { type DumpRow, listDumps } from "../../db/dumps/read-dumps.ts";
import type { Database } from "../../db/statement.ts";
import { badData, unavailable } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { DAY_MS, beginDelta, beginFull, dayOf, queueDump, startOf } from "./begin.ts";
import { DUMP_IDLE_MS, resumeDumps } from "./sweep.ts";

/** A dump as the operator sees it. */
const dumpSchema = z.object({
  id: z.int(),
  kind: z.enum(DUMP_KINDS),
  date: z.string(),
  state: z.enum(["open", "published", "failed", "retired"]),
  stage: z.string().describe("What is done next; `done`: nothing"),
  step: z.int().describe("Steps done so far"),
  after_change: z.int(),
  change: z.int(),
  begun: z.string(),
  updated: z.string(),
  published: z.string().nullable(),
  attempts: z.int().describe("How often it was begun"),
  failures: z.int().describe("How often the next step has failed"),
  problem: z.string().nullable(),
});

/** Largest body, in bytes. */
const DUMP_BODY_BYTES = 1024;

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
  async handle({ json: wish }, context) {
    const { dump, isNew } = await beginWish(wish ?? {}, context);
    return json({ is_new: isNew, dump: seenDump(dump) }, { cacheControl: NO_STORE });
  },
});

/** Begins a dump, or goes on with the one of that day. Throws 400 for a day of which there is none yet. */
export async function beginWish(
  { kind = "full", date }: { readonly kind?: DumpKind; readonly date?: string | undefined },
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
): Promise<{ dump: DumpRow; isNew: boolean }> {
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
  return { dump, isNew };
}

/** A day. */
const STALE_SECONDS_MAX = 86_400;

/** `POST /system/dumps/resume`: resumes unfinished dumps, as the sweep does. */
export const resumeDumpsNow = operation({
  id: "resumeDumps",
  summary: "Go on with dumps that were left alone",
  tag: "operation",
  json: z
    .strictObject({
      stale_seconds: z
        .number()
        .gte(0)
        .lte(STALE_SECONDS_MAX)
        .default(DUMP_IDLE_MS / 1000)
        .describe("A dump that no consumer has touched for so long counts as left alone; 0 after a crash"),
    })
    .optional(),
  bodyBytes: DUMP_BODY_BYTES,
  responses: { 200: { description: "How many are resumed", schema: z.object({ resumed: z.int() }) } },
  async handle({ json: { stale_seconds: seconds = DUMP_IDLE_MS / 1000 } = {} }, { stores, sources }) {
    const resumed = await resumeDumps({ stores, sources }, seconds * 1000);
    return json({ resumed }, { cacheControl: NO_STORE });
  },
});

/**
 * Dumps that are shown: all that are kept, so that whoever waits for the one of an old day finds it, and some that
 * failed.
 */
const DUMPS_SHOWN = 200;

export const statesSchema = z.object({
  dumps: z.array(dumpSchema.extend({ lines: z.int().describe("Packed so far, of an open one") })),
});

/** `GET /system/dumps.json`: how dumps stand, those that were not published too. */
export const dumpStates = operation({
  id: "dumpStates",
  summary: "How dumps stand",
  tag: "operation",
  responses: {
    200: {
      description: `The newest ${DUMPS_SHOWN}`,
      schema: statesSchema,
    },
  },
  handle: async (_input, { stores }) => json(await readStates(stores.catalog), { cacheControl: NO_STORE }),
});

/** The newest dumps with all that there is to say of them. */
export async function readStates(catalog: Database): Promise<z.infer<typeof statesSchema>> {
  const found = await listDumps(catalog, DUMPS_SHOWN);
  return { dumps: found.map((row) => Object.assign(seenDump(row), { lines: row.lines })) };
}

/** A stored dump as answers show it: where exactly it goes on is nobody's business. */
function seenDump(row: DumpRow): z.infer<typeof dumpSchema> {
  return dumpSchema.parse({ ...row, change: row.change_id });
}

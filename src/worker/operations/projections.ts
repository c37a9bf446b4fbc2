import * as z from "zod";
import { type RequestContext, operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type Indexing, indexProgress, indexingOf, indexingsOf, indexTarget } from "../indexing/indexing.ts";
import { compareWorks } from "../indexing/maintenance.ts";
import { COMMAND_HOLD_MS, beginRebuild, rebuildStep } from "../indexing/rebuild.ts";
import { indexNow } from "../indexing/run.ts";
import { withSearchErrors } from "../search/guarded.ts";
import { countRanges } from "../../db/indexing/ranges.ts";
import { readIndexState } from "../../db/indexing/index-state.ts";
import { readJsonBody } from "../http/request-body.ts";
import { checkCounts } from "../patrons/activity/counts.ts";
import { resendActivity } from "../patrons/activity/projection.ts";
import { failure } from "../http/failure.ts";

const INDEX_CALL_MS = 1000;

const progress = z.object({
  change: z.int().describe("Number of the last indexed change"),
  end: z.int().describe("Number of the newest change"),
  records: z.int().describe("Changed records that are not indexed yet"),
  jobs: z.int().describe("Jobs ready to run"),
  rebuild: z
    .boolean()
    .describe("True if the index is being rebuilt, or if POST /system/reindex would be faster"),
  works: z.int().describe("Works reindexed by this call"),
  finished: z.boolean().describe("True if the index is up to date"),
});

const INDEX_DOWN = { description: "Index unavailable; retry after `Retry-After`" };

/** `POST /system/index`: lets the search index follow the log for a bounded time. Called until it is finished. */
export const indexLog = operation({
  id: "indexLog",
  summary: "Update the search index from the log of changes",
  tag: "operation",
  responses: { 200: { description: "Progress of indexing", schema: progress }, 503: INDEX_DOWN },
  async handle(_input, context) {
    const indexing = indexingOf(context.stores, context.settings, context.sources);
    const { works, isBehind } = await withSearchErrors(
      () => indexNow(indexing, { isOver: () => indexing.now() >= context.now + INDEX_CALL_MS }),
      "",
    );
    const now = await indexProgress(indexing);
    const finished = !isBehind && !now.rebuild;
    return json({ ...now, works, finished }, { cacheControl: NO_STORE });
  },
});

const REINDEX_CALL_MS = 800;
const REINDEX_BODY_BYTES = 1024;

const shadow = z.boolean().default(false).describe("True for the shadow engine instead of the live one");
const rebuildCommand = z.strictObject({
  shadow,
  start: z.boolean().default(false).describe("True to start a rebuild unless one is running"),
  restart: z.boolean().default(false).describe("True to start a rebuild from the beginning"),
});
const rebuildState = z.object({
  live: z.enum(["a", "b"]).describe("Generation of the index that serves searches"),
  phase: z.string().nullable().describe("Current step of the rebuild"),
  done: z.int().describe("Records read so far"),
  before: z.int().describe("Records read before this call"),
  total: z.int().describe("Number of records when the rebuild started"),
  ranges: z.int().describe("Remaining parts of the step, which may run in parallel"),
  finished: z.boolean().describe("True if no rebuild is running"),
});

/** Continues a rebuild for a bounded time. Called until it is finished; the current index answers meanwhile. */
export const reindex = operation({
  id: "reindex",
  summary: "Rebuild the search index from the records",
  tag: "operation",
  body: { contentType: "application/json", description: '`{}`, `{"start": true}` or `{"restart": true}`' },
  responses: { 200: { description: "Progress of the rebuild", schema: rebuildState }, 503: INDEX_DOWN },
  async handle(_input, context) {
    const {
      start,
      restart,
      shadow: isShadow,
    } = await readJsonBody(context.request, rebuildCommand, {
      limit: REINDEX_BODY_BYTES,
      example: '{"start": true}',
      otherwise: "{}",
    });
    const indexing = selectIndexing(context, isShadow);
    let before = 0;
    const state = await withSearchErrors(async () => {
      const current = await readIndexState(indexing.search);
      if (restart || (start && current.phase === null)) await beginRebuild(indexing);
      else before = current.done;
      return rebuildStep(indexing, REINDEX_CALL_MS, COMMAND_HOLD_MS);
    }, "");
    const { live, phase, done, total } = state;
    const finished = phase === null;
    const ranges = finished ? 0 : await countRanges(indexing.search, state);
    // Writes during the rebuild are indexed from here on.
    if (finished) context.waitUntil(announceChange(context.stores.indexQueue, 0));
    return json({ live, phase, done, before, total, ranges, finished }, { cacheControl: NO_STORE });
  },
});

/** Returns the active index, or the shadow index. Throws 400 if there is no shadow index. */
function selectIndexing({ stores, settings, sources }: RequestContext, isShadow: boolean): Indexing {
  const [active, other] = indexingsOf(stores, settings, sources);
  if (!isShadow) return active;
  if (other === undefined) throw failure("bad_data.shadow");
  return other;
}

const checkBody = z.strictObject({
  shadow,
  after: z.int().default(0).describe("`position` of the previous call"),
});
const comparison = z.object({
  position: z.int().describe("`after` of the next call; 0 at the end"),
  works: z.int().describe("Works compared with their records"),
  repaired: z.array(z.string()).describe("Keys of works that differed or were missing in the index"),
  stray: z.array(z.string()).describe("Keys of removed documents that had no record"),
});

/** Compares the next works of an index with their records and repairs differences, unfollowed changes included. */
export const checkIndex = operation({
  id: "checkIndex",
  summary: "Compare the search index with the records, and repair it",
  tag: "operation",
  body: { contentType: "application/json", description: '`{}`, `{"after": 1000}` or `{"shadow": true}`' },
  responses: { 200: { description: "Result of the comparison", schema: comparison }, 503: INDEX_DOWN },
  async handle(_input, context) {
    const { after, shadow: isShadow } = await readJsonBody(context.request, checkBody, {
      limit: REINDEX_BODY_BYTES,
      example: '{"after": 1000}',
      otherwise: "{}",
    });
    const indexing = selectIndexing(context, isShadow);
    const compare = async () => compareWorks(indexing, after, (await indexTarget(indexing)).index);
    return json(await withSearchErrors(compare, ""), { cacheControl: NO_STORE });
  },
});

const ACTIVITY_BODY_BYTES = 1024;

const activityCommand = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("resend"), after: z.string().default("") }),
  z.strictObject({
    action: z.literal("recount"),
    part: z.enum(["works", "days"]),
    from: z.int().nonnegative().default(0),
    repair: z.boolean().default(false),
  }),
]);

const activityAnswer = z.object({
  after: z.string().optional().describe("Last patron processed"),
  patrons: z.int().optional().describe("Number of patrons processed"),
  wrong: z.array(z.int()).optional().describe("Works, or days since the epoch, with wrong counts"),
  next: z.int().nullable().optional().describe("Start of the next part"),
  finished: z.boolean().describe("True for the last part"),
});

/**
 * `POST /system/activity`: rebuilds the projections of patrons' activity, or compares counts with the counted rows. One
 * part per call: the caller continues from the position in the answer until it is finished.
 */
export const activityOperation = operation({
  id: "activity",
  summary: "Resend the activity of all patrons, or verify counts",
  tag: "operation",
  body: {
    contentType: "application/json",
    description:
      '`{"action": "resend", "after": ""}`, or `{"action": "recount", "part": "works", "from": 0, "repair": false}`; ' +
      "the other part is `days`",
  },
  responses: { 200: { description: "Result of the action", schema: activityAnswer } },
  async handle(_input, context) {
    const command = await readJsonBody(context.request, activityCommand, {
      limit: ACTIVITY_BODY_BYTES,
      example: '{"action": "resend", "after": ""}',
    });
    if (command.action === "resend") {
      return json(await resendActivity(context, command.after), { cacheControl: NO_STORE });
    }
    const { wrong, next } = await checkCounts(context.stores.patrons, command);
    return json({ wrong, next, finished: next === null }, { cacheControl: NO_STORE });
  },
});

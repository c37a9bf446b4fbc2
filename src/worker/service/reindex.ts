import * as z from "zod";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type Indexing, indexingOf, indexingsOf, targetOf } from "../indexing/indexing.ts";
import { compareWorks } from "../indexing/maintenance.ts";
import { indexProgress } from "../indexing/progress.ts";
import { beginRebuild, rebuildStep } from "../indexing/rebuild.ts";
import { indexNow } from "../indexing/run.ts";
import { refreshAnswers } from "../indexing/refresh.ts";
import { guarded } from "../search/guarded.ts";
import { countRanges } from "../../db/indexing/ranges.ts";
import { jsonBody } from "./json-body.ts";

/** How long one call follows the log, in milliseconds; the step under way is finished. */
const INDEX_CALL_MS = 1000;

const progress = z.object({
  change: z.int().describe("The change up to which the index has followed the log"),
  end: z.int().describe("The newest change"),
  records: z.int().describe("Records with changes that are yet to be followed"),
  jobs: z.int().describe("Jobs that may begin"),
  rebuild: z.boolean().describe("Whether POST /system/reindex would be the shorter way"),
  works: z.int().describe("Works that this call has built anew"),
  finished: z.boolean().describe("Whether the index is up to date"),
});

const AWAY = { description: "The index does not answer; `Retry-After` says when to come again" };

/** `POST /system/index`: the search index follows the log for a bounded time. Called until it is finished. */
export const indexLog = operation({
  id: "indexLog",
  summary: "Bring the search index up to date with the log of changes",
  tag: "operation",
  responses: { 200: { description: "How far the index is", schema: progress }, 503: AWAY },
  async handle(_input, { stores, settings, sources }) {
    const indexing = indexingOf(stores, settings, sources);
    await refreshAnswers({ stores });
    const { works, isBehind } = await guarded(() => indexNow(indexing, INDEX_CALL_MS), "");
    const now = await indexProgress(indexing);
    return json({ ...now, works, finished: !isBehind }, { cacheControl: NO_STORE });
  },
});

/** How long one call goes on, in milliseconds; the pages under way are finished. */
const REINDEX_CALL_MS = 800;
/** Largest body, in bytes. */
const REINDEX_BODY_BYTES = 1024;

const shadow = z.boolean().default(false).describe("Of the engine in the shadow of the one that answers");
const body = z.strictObject({
  shadow,
  start: z.boolean().default(false).describe("Begin a rebuild unless one is under way"),
  restart: z.boolean().default(false).describe("Begin a rebuild, from the beginning"),
});
const place = z.object({
  live: z.enum(["a", "b"]).describe("The generation that answers searches"),
  phase: z.string().nullable().describe("Step of the rebuild"),
  done: z.int().describe("Records that have been read"),
  total: z.int().describe("Records that there were when it began"),
  ranges: z.int().describe("Parts that the step still has: as many calls may go on at the same time"),
  finished: z.boolean().describe("Whether no rebuild is under way any more"),
});

/**
 * `POST /system/reindex`: goes on with a rebuild of the search index from the records, for a bounded time. Called
 * until it is finished; the index that is there answers meanwhile.
 */
export const reindex = operation({
  id: "reindex",
  summary: "Rebuild the search index from the records",
  tag: "operation",
  body: { contentType: "application/json", description: '`{}`, `{"start": true}` or `{"restart": true}`' },
  responses: { 200: { description: "How far the rebuild is", schema: place }, 503: AWAY },
  async handle(_input, context) {
    const { start, restart, ...of } = await jsonBody(context.request, body, {
      limit: REINDEX_BODY_BYTES,
      expected: "shadow, start or restart",
      otherwise: "{}",
    });
    const indexing = chosen(context, of);
    const state = await guarded(async () => {
      const before = await rebuildStep(indexing, 0);
      if (restart || (start && before.phase === null)) await beginRebuild(indexing);
      return rebuildStep(indexing, REINDEX_CALL_MS);
    }, "");
    const { live, phase, done, total } = state;
    const finished = phase === null;
    const ranges = finished ? 0 : await countRanges(indexing.search, state);
    // What was written meanwhile is followed from here on.
    if (finished) context.waitUntil(announceChange(context.stores.indexQueue, 0));
    return json({ live, phase, done, total, ranges, finished }, { cacheControl: NO_STORE });
  },
});

/** The index that is asked for. Throws 400 where there is no shadow. */
function chosen(
  { stores, settings, sources }: RequestContext,
  { shadow: isShadow }: { shadow: boolean },
): Indexing {
  const [answering, other] = indexingsOf(stores, settings, sources);
  if (!isShadow) return answering;
  if (other === undefined) throw badData("no index is in the shadow: SEARCH_SHADOW");
  return other;
}

const checkBody = z.strictObject({
  shadow,
  after: z.int().default(0).describe("Where the last call has ended"),
});
const checked = z.object({
  position: z.int().describe("Where the next call begins; 0 at the end"),
  works: z.int().describe("Works that were compared with their records"),
  repaired: z.array(z.string()).describe("Keys of those that the index had otherwise, or not at all"),
  stray: z.array(z.string()).describe("Keys of documents without a record, which were removed"),
});

/**
 * `POST /system/index-check`: compares the next works of an index with their records, and mends what differs. What the log
 * has and the index has not followed yet differs, too.
 */
export const checkIndex = operation({
  id: "checkIndex",
  summary: "Compare the search index with the records, and mend it",
  tag: "operation",
  body: { contentType: "application/json", description: '`{}`, `{"after": 1000}` or `{"shadow": true}`' },
  responses: { 200: { description: "What was compared", schema: checked }, 503: AWAY },
  async handle(_input, context) {
    const { after, ...of } = await jsonBody(context.request, checkBody, {
      limit: REINDEX_BODY_BYTES,
      expected: "shadow or after",
      otherwise: "{}",
    });
    const indexing = chosen(context, of);
    const compare = async () => compareWorks(indexing, after, (await targetOf(indexing)).index);
    return json(await guarded(compare, ""), { cacheControl: NO_STORE });
  },
});

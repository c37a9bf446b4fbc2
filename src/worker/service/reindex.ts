import * as z from "zod";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { indexingOf } from "../indexing/indexing.ts";
import { indexProgress } from "../indexing/progress.ts";
import { beginRebuild, rebuildStep } from "../indexing/rebuild.ts";
import { indexNow } from "../indexing/run.ts";
import { refreshAnswers } from "../indexing/refresh.ts";
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

/** `POST /system/index`: the search index follows the log for a bounded time. Called until it is finished. */
export const indexLog = operation({
  id: "indexLog",
  summary: "Bring the search index up to date with the log of changes",
  tag: "operation",
  responses: { 200: { description: "How far the index is", schema: progress } },
  async handle(_input, { stores, settings, sources }) {
    const indexing = indexingOf(stores, settings, sources);
    await refreshAnswers({ stores });
    const { works, isBehind } = await indexNow(indexing, INDEX_CALL_MS);
    const now = await indexProgress(indexing);
    return json({ ...now, works, finished: !isBehind }, { cacheControl: NO_STORE });
  },
});

/** How long one call goes on, in milliseconds; the pages under way are finished. */
const REINDEX_CALL_MS = 800;
/** Largest body, in bytes. */
const REINDEX_BODY_BYTES = 1024;

const body = z.strictObject({
  start: z.boolean().default(false).describe("Begin a rebuild unless one is under way"),
  restart: z.boolean().default(false).describe("Begin a rebuild, from the beginning"),
});
const place = z.object({
  live: z.enum(["a", "b"]).describe("The generation that answers searches"),
  phase: z.string().nullable().describe("Step of the rebuild"),
  done: z.int().describe("Records that have been read"),
  total: z.int().describe("Records that there were when it began"),
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
  responses: { 200: { description: "How far the rebuild is", schema: place } },
  async handle(_input, context) {
    const { start, restart } = await jsonBody(context.request, body, {
      limit: REINDEX_BODY_BYTES,
      expected: "start or restart",
      otherwise: "{}",
    });
    const indexing = indexingOf(context.stores, context.settings, context.sources);
    const before = await rebuildStep(indexing, 0);
    if (restart || (start && before.phase === null)) await beginRebuild(indexing);
    const { live, phase, done, total } = await rebuildStep(indexing, REINDEX_CALL_MS);
    const finished = phase === null;
    return json({ live, phase, done, total, finished }, { cacheControl: NO_STORE });
  },
});

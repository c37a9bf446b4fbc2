import * as z from "zod";
import { bodyText } from "../../body.ts";
import type { RequestContext } from "../../context.ts";
import { badData } from "../../errors.ts";
import { indexingOf } from "../../indexing/indexing.ts";
import { beginRebuild, rebuildStep } from "../../indexing/rebuild.ts";
import { operation } from "../../operation.ts";
import { queryJson } from "../../records-query.ts";
import { NO_STORE, json } from "../../reply.ts";

/** How long one call goes on, in milliseconds; the pages under way are finished. */
export const REINDEX_CALL_MS = 800;
/** Largest body, in bytes. */
export const REINDEX_BODY_BYTES = 1024;

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
    const { start, restart } = await commandOf(context);
    const indexing = indexingOf(context.stores, context.settings, context.sources);
    const before = await rebuildStep(indexing, 0);
    if (restart || (start && before.phase === null)) await beginRebuild(indexing);
    const { live, phase, done, total } = await rebuildStep(indexing, REINDEX_CALL_MS);
    const finished = phase === null;
    return json({ live, phase, done, total, finished }, { cacheControl: NO_STORE });
  },
});

async function commandOf({ request }: RequestContext): Promise<z.infer<typeof body>> {
  const text = await bodyText(request, REINDEX_BODY_BYTES);
  const parsed = body.safeParse(text.trim() === "" ? {} : queryJson(text));
  if (!parsed.success) throw badData("Bad body: expected start or restart");
  return parsed.data;
}

import * as z from "zod";
import { indexingOf } from "../../indexing/indexing.ts";
import { indexProgress } from "../../indexing/progress.ts";
import { indexNow } from "../../indexing/run.ts";
import { operation } from "../../operation.ts";
import { refreshAnswers } from "../../queue/refresh-answers.ts";
import { NO_STORE, json } from "../../reply.ts";

/** How long one call follows the log, in milliseconds; the step under way is finished. */
export const INDEX_CALL_MS = 1000;

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
    await refreshAnswers(stores);
    const { works, isBehind } = await indexNow(indexing, INDEX_CALL_MS);
    const now = await indexProgress(indexing);
    return json({ ...now, works, finished: !isBehind }, { cacheControl: NO_STORE });
  },
});

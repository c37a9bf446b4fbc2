import * as z from "zod";
import { unfinishedBatches } from "../../../db/imports/batches.ts";
import { retryFailed } from "../../../db/imports/claims.ts";
import { countWaiting } from "../../../db/imports/statistics.ts";
import { seenBatch } from "../../imports/batch-view.ts";
import {
  IMPORT_LOST_MS,
  INTERNAL_ERROR,
  RESUMED_BATCHES_MAX,
  RESUMED_ITEMS_MAX,
  resumeImports,
} from "../../imports/resume.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";
import { batchSchema } from "./schemas.ts";

/** Largest body, in bytes. */
export const RESUME_BODY_BYTES = 1024;
/** For how long items may be left alone at most, in seconds: a year. */
export const STALE_SECONDS_MAX = 366 * 24 * 3600;
/** Longest code of an error, in characters. */
const CODE_LENGTH = 100;

/** `POST /system/imports`: takes up what was left alone, as the sweep does, and says how imports stand. */
export const resumeQueue = operation({
  id: "resumeImports",
  summary: "Go on with imports that were left alone",
  tag: "operation",
  json: z
    .strictObject({
      stale_seconds: z
        .number()
        .gte(0)
        .lte(STALE_SECONDS_MAX)
        .default(IMPORT_LOST_MS / 1000)
        .describe("What nobody has worked on for so long counts as left alone; 0 after a crash"),
      retry_failed: z
        .string()
        .max(CODE_LENGTH)
        .optional()
        .describe(`Try items again that have failed with this code, such as \`${INTERNAL_ERROR}\``),
    })
    .optional(),
  bodyBytes: RESUME_BODY_BYTES,
  responses: {
    200: {
      description: `What was taken up, ${RESUMED_ITEMS_MAX} items a call at most, and what is left`,
      schema: z.object({
        retried: z.int(),
        released: z.int(),
        sent: z.int(),
        batches: z.int(),
        pending: z.int(),
        processing: z.int(),
        splitting: z.array(batchSchema),
      }),
    },
  },
  async handle({ json: wish }, { stores, sources }) {
    const { stale_seconds: seconds = IMPORT_LOST_MS / 1000, retry_failed: error } = wish ?? {};
    const { catalog } = stores;
    const limit = RESUMED_ITEMS_MAX;
    const retried = error === undefined ? 0 : await retryFailed(catalog, { error, limit });
    const resumed = await resumeImports({ stores, sources }, seconds * 1000);
    const [waiting, splitting] = await Promise.all([
      countWaiting(catalog),
      unfinishedBatches(catalog, RESUMED_BATCHES_MAX),
    ]);
    const answer = { retried, ...resumed, ...waiting, splitting: splitting.map(seenBatch) };
    return json(answer, { cacheControl: NO_STORE });
  },
});

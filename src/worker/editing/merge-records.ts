import { revisionSchema } from "../history/change-entry.ts";
import * as z from "zod";
import { type MergeKind, MERGE_RULES, mergeOrder } from "../../catalog/editing/merge-rules.ts";
import type { SavedRecord } from "../../db/editing/request.ts";
import { finish, trySave } from "./save-change.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { MERGE_BUDGET_MS, merge } from "./merge.ts";
import type { MergeTask } from "./merge-step.ts";

export const MERGE_DUPLICATES_MAX = 500;
/** Maximum length of a comment on a merge request, in UTF-16 units. */
export const MERGE_COMMENT_LENGTH = 2000;

const body = z
  .object({
    master: z.string().describe("Key of the record that stays"),
    duplicates: z.array(z.string()).max(MERGE_DUPLICATES_MAX).describe("Keys of the records that become it"),
    mrid: z.string().nullish().describe("Merge request that this answers"),
    comment: z.string().max(MERGE_COMMENT_LENGTH).nullish().describe("For the merge request"),
    olids: z
      .string()
      .max(MERGE_DUPLICATES_MAX * 20)
      .default("")
      .describe("Numbers for the merge request that is made when there was none"),
  })
  .meta({ id: "MergeAuthorsBody" });
const refused = z.object({ detail: z.looseObject({ error: z.string(), message: z.string() }) });

export const mergeAuthors = mergeOperation("mergeAuthors", "author");
export const mergeWorks = mergeOperation("mergeWorks", "work");

function mergeOperation(id: string, kind: MergeKind) {
  return operation({
    id,
    summary: `Merge duplicate ${kind}s into one`,
    tag: "editing",
    json: body,
    responses: {
      200: { description: "The records that were saved", schema: z.array(revisionSchema) },
      400: { description: "Why nothing, or not everything yet, was merged", schema: refused },
    },
    async handle({ json: { master, duplicates, mrid, comment, olids } }, context) {
      const note = { mrid: mrid ?? null, comment: comment ?? null, olids };
      const records = await mergeNow({ kind, master, duplicates, note }, context).catch(throwAsDetail);
      return json(records, { cacheControl: NO_STORE });
    },
  });
}

/** Merges records for the user of the request. Throws 400 with the reason if this fails or takes too long. */
export async function mergeNow(
  request: Omit<MergeTask, "author" | "ip">,
  context: RequestContext,
): Promise<readonly SavedRecord[]> {
  const { kind, note } = request;
  const order = mergeOrder(request, MERGE_RULES[kind]);
  if ("problem" in order) throw badData(order.problem);
  const { key } = await context.actor();
  if (key === null) throw new Error("a merge by nobody");
  const { stores, settings, sources } = context;
  const outcome = await merge(
    {
      catalog: stores.catalog,
      prefix: settings.RECORD_PREFIX,
      async save(change) {
        const result = await trySave(context, change);
        if (result.ok) finish(context, result);
        return result;
      },
      now: () => sources.now(),
      deadline: context.now + MERGE_BUDGET_MS,
    },
    { kind, ...order, note, author: key, ip: context.client },
  );
  const details = { duplicates: order.duplicates.length, done: outcome.isDone };
  await audit(context, { event: "merged", subject: order.master, details });
  if (outcome.isDone) return outcome.saved;
  // Q116: the interface has no 202. A repeated request reports when the merge is done.
  throw badData(`too many records: the merge goes on, job ${outcome.job}`, { job: outcome.job });
}

/** Throws refusals as a 400 with the error of the record store in `detail`, as FastAPI does (Q115). */
function throwAsDetail(error: unknown): never {
  if (!(error instanceof CarrelError) || error.status >= 500 || error.body === null) throw error;
  const isDetail = "detail" in error.body;
  throw new CarrelError(400, error.code, {
    message: error.message,
    body: isDetail ? error.body : { detail: error.body },
  });
}

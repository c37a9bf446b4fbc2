import * as z from "zod";
import { privateJson } from "../../http/reply.ts";
import { receivedLines } from "../../imports/received-lines.ts";
import { batchSubmitter, submitBatch } from "../../imports/submit-batch.ts";
import { wantsPage } from "../../imports/wants-page.ts";
import { operation } from "../../http/operation.ts";
import { newBatchPage, submittedPage } from "../../pages/imports/new-batch-page.ts";

const lineError = z.object({ line_number: z.int(), error_message: z.string() });
const NOTHING = { errors: [{ line_number: 1, error_message: "There is no file and no text." }] };

/** `POST /import/batch/new[.json]`: queues records, or says what is wrong with which lines (import.md 7). */
export const submitNewBatch = operation({
  id: "submitBatch",
  summary: "Queue a batch of records",
  tag: "import",
  body: {
    contentType: "multipart/form-data",
    description: "`batchImportFile` (a file) or `batchImportText`: import records, one JSON object a line",
  },
  responses: {
    200: {
      description: "What became of the records; for people a page",
      schema: z.object({
        batch: z.object({ id: z.int(), name: z.string() }),
        total_submitted: z.int(),
        total_queued: z.int(),
        total_skipped: z.int(),
        items_skipped: z.array(z.string()),
        needs_review: z.boolean().describe("Whether an administrator has to approve them"),
      }),
    },
    400: {
      description: "All that is wrong; nothing is queued",
      schema: z.object({ errors: z.array(lineError) }),
    },
    403: { description: "Nobody is logged in" },
    413: { description: "Too large" },
  },
  async handle(_input, context) {
    const submitter = await batchSubmitter(context);
    const isPage = wantsPage(context);
    const bytes = await receivedLines(context.request);
    const outcome = bytes === undefined ? NOTHING : await submitBatch(context, submitter, bytes);
    if ("errors" in outcome) {
      if (isPage) return newBatchPage(outcome.errors, bytes === undefined);
      return { ...privateJson(outcome), status: 400, headers: { Vary: "Accept" } };
    }
    return isPage ? submittedPage(outcome) : { ...privateJson(outcome), headers: { Vary: "Accept" } };
  },
});

import * as z from "zod";
import { BATCH_LINES } from "../../imports/checked-lines.ts";
import { BATCH_BYTES } from "../../imports/received-lines.ts";
import { wantsPage } from "../../imports/wants-page.ts";
import { operation } from "../../http/operation.ts";
import { newBatchPage } from "../../pages/imports/new-batch-page.ts";
import { NO_STORE, json } from "../../http/reply.ts";

/** `GET /import/batch/new[.json]`: the form for a batch; for programs what may be in one (import.md 7). */
export const newBatchForm = operation({
  id: "newBatchForm",
  summary: "Form for a batch of records",
  tag: "import",
  responses: {
    200: {
      description: "The form; for programs the limits",
      schema: z.object({ max_bytes: z.int(), max_lines: z.int() }),
    },
  },
  handle: (_input, context) =>
    wantsPage(context)
      ? newBatchPage()
      : json(
          { max_bytes: BATCH_BYTES, max_lines: BATCH_LINES },
          { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
        ),
});

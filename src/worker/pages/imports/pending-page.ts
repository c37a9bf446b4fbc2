import type { PendingView } from "../../imports/batch-view.ts";
import type { Reply } from "../../http/reply.ts";
import { page as htmlPage } from "../../ui/layout.ts";
import { markup } from "../../ui/markup.ts";
import { moment, pageLinks, table } from "../../ui/parts.ts";
import { batchLink, statusText } from "./import-lists.ts";

/** The page of batches that wait for approval. */
export function pendingPage({ batches, page, next }: PendingView): Reply {
  const path = "/import/batch/pending";
  const body = markup`${
    batches.length === 0
      ? markup`<p>No batch waits for approval.</p>`
      : table({
          caption: "Batches",
          columns: ["Batch", "Added", "Status", "By", "Comments"],
          rows: batches.map((batch) => [
            batchLink(batch.batch_id),
            moment(batch.added_time),
            statusText(batch.status),
            batch.submitter ?? "",
            batch.comments ?? "",
          ]),
        })
  }
${pageLinks(
  page > 1 ? `${path}?page=${page - 1}` : undefined,
  next === null ? undefined : `${path}?page=${next}`,
  { newer: "Before", older: "Next" },
)}`;
  return htmlPage({ title: "Batches that wait for approval", body });
}

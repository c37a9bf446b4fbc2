import type { LineError } from "../../../import/batch-line.ts";
import { type Reply, PRIVATE } from "../../http/reply.ts";
import { BATCH_LINES } from "../../imports/checked-lines.ts";
import { BATCH_BYTES } from "../../imports/received-lines.ts";
import type { Submitted } from "../../imports/submit-batch.ts";
import { errorSummary, field } from "../../ui/form.ts";
import { page } from "../../ui/layout.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { definitions, link, table } from "../../ui/parts.ts";
import { batchLink } from "./import-lists.ts";

/** The form for a batch, with what was wrong with the one that was sent; `isEmpty` when nothing was. */
export function newBatchPage(errors: readonly LineError[] = [], isEmpty = false): Reply {
  const body = markup`${errors.length > 0 && (isEmpty ? nothingSent() : problems(errors))}
<p>Import records, one JSON object a line. Lines that begin with # are left out. A batch has
${BATCH_LINES} lines and ${BATCH_BYTES / 1024 / 1024} megabytes at most. Records of patrons who are no administrators
wait until an administrator approves them. ${link("/import/batch/pending", "Batches that wait for approval")}.</p>
<form method="post" action="/import/batch/new" enctype="multipart/form-data">
<div><label for="batchImportFile">File</label>
<input type="file" id="batchImportFile" name="batchImportFile" accept=".jsonl,.ndjson,.json,.txt"></div>
${field({ name: "batchImportText", label: "Or the lines themselves", type: "textarea" })}
<p><button type="submit">Import</button></p>
</form>`;
  return page({
    title: "Import records",
    body,
    cacheControl: PRIVATE,
    status: errors.length === 0 ? 200 : 400,
  });
}

function nothingSent(): Markup | undefined {
  return errorSummary([{ name: "batchImportFile", message: "Choose a file, or write lines." }]);
}

function problems(errors: readonly LineError[]): Markup {
  return markup`${errorSummary([{ message: "Nothing was queued. What is wrong is listed below." }])}
${table({
  caption: "What is wrong",
  columns: ["Line", "Why"],
  rows: errors.map(({ line_number: line, error_message: message }) => [line, message]),
})}`;
}

/** The page of a batch that was queued. */
export function submittedPage(submitted: Submitted): Reply {
  const { batch, items_skipped: skipped } = submitted;
  const body = markup`<p role="status">${
    submitted.needs_review
      ? "The records are queued when an administrator has approved them."
      : "The records are queued."
  }</p>
${definitions([
  ["Batch", batchLink(batch.id, batch.name)],
  ["Records", submitted.total_submitted],
  ["New ones", submitted.total_queued],
  ["Already there", submitted.total_skipped],
])}
${skipped.length > 0 && markup`<h2>Already there</h2><ul>${skipped.map((id) => markup`<li>${id}</li>`)}</ul>`}
<p>${link("/import/batch/new", "Import more")}</p>`;
  return page({ title: "The batch was received", body, cacheControl: PRIVATE });
}

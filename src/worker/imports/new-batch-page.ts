import { MIB } from "../../catalog/units.ts";
import type { LineError } from "../../import/validate.ts";
import { type Reply, PRIVATE } from "../http/reply.ts";
import { dataFacts, dataTable } from "../ui/data-page.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { link } from "../ui/parts.ts";
import { bullets, section } from "../ui/values.ts";
import { reason, t } from "../ui/words.ts";
import { batchLink } from "./items-page.ts";
import type { Submitted } from "./schemas.ts";

interface RefusedUpload {
  readonly errors: readonly LineError[];
  /** Text that was pasted. */
  readonly typed?: string | undefined;
}

/** Renders the batch form with the errors of the last submission; `isEmpty` if nothing was submitted. */
export function newBatchPage(
  { max_bytes: bytes, max_lines: lines }: { max_bytes: number; max_lines: number },
  { errors, typed }: RefusedUpload = { errors: [] },
  isEmpty = false,
): Reply {
  const problem = isEmpty
    ? errorSummary([{ name: "batchImportFile", message: t("imports.empty") }])
    : markup`${errorSummary([{ message: t("imports.nothing_queued") }])}
${errorTable(errors)}`;
  const body = markup`${errors.length > 0 && problem}
<p>${t("imports.new_lead", { lines, megabytes: bytes / MIB })}
${link("/import/batch/pending", t("imports.pending_batches"))}</p>
<form method="post" action="/import/batch/new" enctype="multipart/form-data">
<div><label for="batchImportFile">${t("imports.file")}</label>
<input type="file" id="batchImportFile" name="batchImportFile" accept=".mrc,.marc,.dat,.xml,.marcxml,.jsonl,.ndjson,.json,.txt"></div>
${field({ name: "batchImportText", label: t("imports.lines"), type: "textarea", value: typed })}
<p><button type="submit" class="primary">${t("imports.send")}</button></p>
</form>`;
  return page({
    title: t("imports.new"),
    body,
    cacheControl: PRIVATE,
    status: errors.length === 0 ? 200 : 400,
  });
}

function errorTable(errors: readonly LineError[]): Markup | undefined {
  return dataTable({
    caption: t("imports.wrong"),
    members: { line_number: "imports.line", text: ["desk.why", reason] },
    rows: errors,
  });
}

/** Renders what was queued, by title, and the records that were left out. */
export function submittedPage(submitted: Submitted & RefusedUpload & { titles: readonly string[] }): Reply {
  const { batch, items_skipped: skipped, needs_review: needsReview, errors, titles } = submitted;
  const names = titles.map((title) => markup`<cite dir="auto">${title}</cite>`);
  const body = markup`${notice("good", t(needsReview ? "imports.received_review" : "imports.received_now"))}
${dataFacts(submitted, {
  batch: ["imports.batch", ({ id, name }) => batchLink(id, name)],
  total_submitted: "imports.records",
  total_queued: "imports.new_ones",
  total_skipped: "imports.there",
})}
${section(t("imports.records"), bullets(names))}
<p>${batchLink(batch.id, t("imports.follow"))}</p>
${errors.length > 0 && markup`${section(t("imports.left_out", { count: errors.length }), errorTable(errors))}`}
${skipped.length > 0 && markup`${section(t("imports.there"), bullets(skipped))}`}
<p>${link("/import/batch/new", t("imports.more"))}</p>`;
  return page({ title: t("imports.received"), body, cacheControl: PRIVATE });
}

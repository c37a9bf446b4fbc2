import { KIB, MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import { english } from "../../catalog/texts.ts";
import * as z from "zod";
import type { LineError } from "../../import/validate.ts";
import { takeBodyRoom } from "../http/body-room.ts";
import { bodyText } from "../http/bytes.ts";
import { tooLarge } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { pageOrData, wantsBatchPage } from "./batch-view.ts";
import { type Submitted, BATCH_LINES, requireSubmitter, submitBatch } from "./submit-batch.ts";
import { addedSchema } from "./schemas.ts";
import { batchLink } from "./import-tables.ts";
import { notice } from "../ui/notice.ts";
import { table } from "../ui/table.ts";
import { bullets, section } from "../ui/values.ts";
import { number, t, reason } from "../ui/words.ts";

export const BATCH_BYTES = 10 * MIB;
const FORM_OVERHEAD_BYTES = 64 * KIB;
const URLENCODED_GROWTH = 3;

/** Returns the bytes of the uploaded file or text, undefined without either. Throws 413 above `BATCH_BYTES`. */
async function readUpload(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const type = (request.headers.get("Content-Type") ?? "").toLowerCase();
  const bytes = type.startsWith("multipart/form-data")
    ? await readMultipart(request)
    : await readUrlencoded(request);
  if (bytes !== undefined && bytes.byteLength > BATCH_BYTES) throw tooLarge(BATCH_BYTES);
  return bytes;
}

async function readMultipart(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Without a declared length the runtime would read without limit.
  const declared = request.headers.get("Content-Length");
  if (declared === null) throw failure("bad_data.no_length");
  if (Number(declared) > BATCH_BYTES + FORM_OVERHEAD_BYTES) throw tooLarge(BATCH_BYTES);
  await takeBodyRoom(request, BATCH_BYTES);
  const form = await request.formData().catch(() => new FormData());
  for (const name of ["batchImportFile", "batchImportText"]) {
    const value = form.get(name);
    if (value === null) continue;
    const bytes = typeof value === "string" ? encodeText(value) : new Uint8Array(await value.arrayBuffer());
    // Browsers send an empty file if none was chosen.
    if (bytes.byteLength > 0) return bytes;
  }
  return undefined;
}

async function readUrlencoded(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = await bodyText(request, BATCH_BYTES * URLENCODED_GROWTH + FORM_OVERHEAD_BYTES);
  const fields = new URLSearchParams(text);
  const value = ["batchImportFile", "batchImportText"].map((name) => fields.get(name)).find(Boolean);
  return typeof value === "string" ? encodeText(value) : undefined;
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

/** Renders the batch form with the errors of the last submission; `isEmpty` if nothing was submitted. */
function newBatchPage(errors: readonly LineError[] = [], isEmpty = false): Reply {
  const emptyError = { name: "batchImportFile", message: t("imports.empty") };
  const body = markup`${errors.length > 0 && (isEmpty ? errorSummary([emptyError]) : lineErrorsTable(errors))}
<p>${t("imports.new_lead", { lines: BATCH_LINES, megabytes: BATCH_BYTES / 1024 / 1024 })}
${link("/import/batch/pending", t("imports.pending_batches"))}</p>
<form method="post" action="/import/batch/new" enctype="multipart/form-data">
<div><label for="batchImportFile">${t("imports.file")}</label>
<input type="file" id="batchImportFile" name="batchImportFile" accept=".jsonl,.ndjson,.json,.txt"></div>
${field({ name: "batchImportText", label: t("imports.lines"), type: "textarea" })}
<p><button type="submit" class="primary">${t("imports.send")}</button></p>
</form>`;
  return page({
    title: t("imports.new"),
    body,
    cacheControl: PRIVATE,
    status: errors.length === 0 ? 200 : 400,
  });
}

function lineErrorsTable(errors: readonly LineError[]): Markup {
  return markup`${errorSummary([{ message: t("imports.nothing_queued") }])}
${table({
  caption: t("imports.wrong"),
  columns: [t("imports.line"), t("desk.why")],
  rows: errors.map(({ line_number: line, text }) => [number(line), reason(text)]),
})}`;
}

function submittedPage(submitted: Submitted): Reply {
  const { batch, items_skipped: skipped, needs_review: needsReview } = submitted;
  const body = markup`${notice("good", t(needsReview ? "imports.received_review" : "imports.received_now"))}
${factList([
  [t("imports.batch"), batchLink(batch.id, batch.name)],
  [t("imports.records"), number(submitted.total_submitted)],
  [t("imports.new_ones"), number(submitted.total_queued)],
  [t("imports.there"), number(submitted.total_skipped)],
])}
${skipped.length > 0 && markup`${section(t("imports.there"), bullets(skipped))}`}
<p>${link("/import/batch/new", t("imports.more"))}</p>`;
  return page({ title: t("imports.received"), body, cacheControl: PRIVATE });
}

export const newBatchForm = operation({
  id: "newBatchForm",
  summary: "Show the form for a batch of records",
  tag: "import",
  responses: {
    200: {
      description: "HTML form; limits as JSON",
      schema: z.object({ max_bytes: z.int(), max_lines: z.int() }),
    },
  },
  handle: (_input, context) =>
    pageOrData(context, { max_bytes: BATCH_BYTES, max_lines: BATCH_LINES }, () => newBatchPage()),
});

const lineError = z.object({ line_number: z.int(), error_message: z.string() });
const EMPTY_UPLOAD = { errors: [{ line_number: 1, text: { key: "imports.empty" } }] } as const;

export const submitNewBatch = operation({
  id: "submitBatch",
  summary: "Queue a batch of records",
  tag: "import",
  body: {
    contentType: "multipart/form-data",
    description: "`batchImportFile` (a file) or `batchImportText`: import records, one JSON object per line",
  },
  responses: {
    200: {
      description: "Batch with the number of queued and skipped records, as JSON or HTML",
      schema: z.object({
        batch: z.object({ id: z.int(), name: z.string() }),
        ...addedSchema.shape,
        needs_review: z.boolean().describe("True if an administrator has to approve the records"),
      }),
    },
    400: {
      description: "Errors of all lines; nothing is queued",
      schema: z.object({ errors: z.array(lineError) }),
    },
    403: { description: "Not logged in" },
    429: { description: "Too many bytes stored by this account" },
    503: { description: "Too many records wait for approval" },
  },
  async handle(_input, context) {
    const submitter = await requireSubmitter(context);
    const isPage = wantsBatchPage(context);
    const bytes = await readUpload(context.request);
    const outcome = bytes === undefined ? EMPTY_UPLOAD : await submitBatch(context, submitter, bytes);
    if ("errors" in outcome) {
      if (isPage) return newBatchPage(outcome.errors, bytes === undefined);
      const errors = outcome.errors.map(({ line_number, text }) => ({
        line_number,
        error_message: english(text),
      }));
      return { ...privateJson({ errors }), status: 400, headers: { Vary: "Accept" } };
    }
    return isPage ? submittedPage(outcome) : { ...privateJson(outcome), headers: { Vary: "Accept" } };
  },
});

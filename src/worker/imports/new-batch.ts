import { KIB, MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import { english } from "../../catalog/texts.ts";
import * as z from "zod";
import { takeBodyRoom } from "../http/body-room.ts";
import { bodyText } from "../http/bytes.ts";
import { tooLarge } from "../http/errors.ts";
import { NO_STORE, json, privateJson } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";
import { wantsBatchPage } from "./batch-view.ts";
import { newBatchPage, submittedPage } from "./new-batch-page.ts";
import { addedSchema } from "./schemas.ts";
import { BATCH_LINES, requireSubmitter, submitBatch } from "./submit-batch.ts";

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

const LIMITS = { max_bytes: BATCH_BYTES, max_lines: BATCH_LINES };

export const newBatchForm = resource({
  id: "newBatchForm",
  summary: "Show the form for a batch of records",
  tag: "import",
  responses: {
    200: {
      description: "HTML form; limits as JSON",
      schema: z.object({ max_bytes: z.int(), max_lines: z.int() }),
    },
  },
  isPageByDefault: true,
  read: () => LIMITS,
  asJson: (limits) => json(limits, { cacheControl: NO_STORE }),
  page: (limits) => newBatchPage(limits),
});

const lineError = z.object({ line_number: z.int(), error_message: z.string() });
const EMPTY_UPLOAD = { errors: [{ line_number: 1, text: { key: "imports.empty" } }] } as const;

export const submitNewBatch = command({
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
  showsPage: wantsBatchPage,
  load: (_input, context) => requireSubmitter(context),
  async submit({ loaded: submitter }, context) {
    const bytes = await readUpload(context.request);
    return bytes === undefined ? EMPTY_UPLOAD : submitBatch(context, submitter, bytes);
  },
  asJson(outcome) {
    const headers = { Vary: "Accept" };
    if (!("errors" in outcome)) return { ...privateJson(outcome), headers };
    const errors = outcome.errors.map(({ line_number, text }) => {
      return { line_number, error_message: english(text) };
    });
    return { ...privateJson({ errors }), status: 400, headers };
  },
  page: (outcome) =>
    "errors" in outcome
      ? newBatchPage(LIMITS, outcome.errors, outcome === EMPTY_UPLOAD)
      : submittedPage(outcome),
  done: { to: "/import/batch/new", notice: "imports.received" },
});

import { Buffer } from "node:buffer";
import * as z from "zod";
import { decodeUtf8, utf8Length } from "../../catalog/bytes.ts";
import { parseDocument } from "../../catalog/document.ts";
import { textOf } from "../../catalog/record.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { type Text, english } from "../../catalog/texts.ts";
import { KIB, MIB } from "../../catalog/units.ts";
import { measureWaiting, openBatch } from "../../db/imports/batches.ts";
import { type NewItem, addItems } from "../../db/imports/items.ts";
import { decodeHead, findForeignFormat, withoutMark } from "../../import/head.ts";
import { canonicalJson } from "../../import/record.ts";
import { FileProblem } from "../../import/files/readers.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { readStatedLength } from "../../import/marc/record.ts";
import { XmlError } from "../../import/xml/decode.ts";
import { type LineError, IMPORT_DATA_BYTES, TOO_LONG, parseBatchLine } from "../../import/validate.ts";
import { chargeBytes } from "../editing/byte-budget.ts";
import { takeBodyRoom } from "../http/body-room.ts";
import { bodyText } from "../http/bytes.ts";
import { tooLarge } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { NO_STORE, json, privateJson } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";
import { wantsBatchPage } from "./batch-view.ts";
import { queueItems } from "./import-queue.ts";
import { newBatchPage, submittedPage } from "./new-batch-page.ts";
import { type Submitted as SubmittedBatch, submittedSchema } from "./schemas.ts";

export const BATCH_BYTES = 10 * MIB;
export const BATCH_LINES = 10_000;
export const BATCH_ERRORS_MAX = 50_000;
const FORM_OVERHEAD_BYTES = 64 * KIB;
const URLENCODED_GROWTH = 3;
const LIMITS = { max_bytes: BATCH_BYTES, max_lines: BATCH_LINES };

export const SUBMITTED_WAITING_MAX = 20;
/** Bytes of the batches of all patrons that wait for approval: a twentieth of the database. */
export const WAITING_BYTES_MAX = 512 * MIB;
const WAITING_RETRY_SECONDS = 3600;
const NAME_DIGITS = 20;

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
/** Records that are named on the page of a new batch. */
const TITLES_MAX = 25;
/** Characters of a pasted text that comes back with the form. */
const TYPED_LENGTH = 256 * KIB;

interface Refused {
  readonly errors: readonly LineError[];
  /** Text that was pasted, for the form. */
  readonly typed?: string | undefined;
}
type Submitted = SubmittedBatch & Refused & { readonly titles: readonly string[] };

const EMPTY_UPLOAD: Refused = { errors: [{ line_number: 1, text: { key: "imports.empty" } }] };

export const submitNewBatch = command({
  id: "submitBatch",
  summary: "Queue a batch of records",
  tag: "import",
  body: {
    contentType: "multipart/form-data",
    description:
      "`batchImportFile` (a file) or `batchImportText`: MARC or MARCXML, or import records, one JSON object per line",
  },
  responses: {
    200: {
      description: "Batch with the number of queued and skipped records, as JSON or HTML",
      schema: submittedSchema.extend({
        errors: z.array(lineError).optional().describe("Records of MARC or MARCXML that cannot be read"),
      }),
    },
    400: {
      description: "Errors of all lines or records; nothing is queued",
      schema: z.object({ errors: z.array(lineError) }),
    },
    403: { description: "Not logged in" },
    429: { description: "Too many bytes stored by this account" },
    503: { description: "Too many records wait for approval" },
  },
  showsPage: wantsBatchPage,
  async load(_input, context) {
    const actor = await context.actor();
    const { username } = actor;
    if (username === null) throw failure("forbidden.batch_login");
    if (actor.groups.has(READ_ONLY_GROUP)) throw failure("forbidden.read_only_account");
    return { ...actor, username };
  },
  async submit({ loaded: submitter }, context): Promise<Submitted | Refused> {
    const upload = await readUpload(context.request);
    if (upload === undefined) return EMPTY_UPLOAD;
    const { bytes, typed } = upload;
    const { catalog, importQueue } = context.stores;
    const { username } = submitter;
    const { byteLength } = bytes;
    const needsReview = !hasRole(submitter, "admin");
    if (needsReview) {
      // Q356: limits the unreviewed data that one patron, and all patrons together, can store.
      const { own = 0, bytes: waiting = 0 } = (await measureWaiting(catalog, username)) ?? {};
      if (own >= SUBMITTED_WAITING_MAX) throw failure("forbidden.batches", { waiting: own });
      if (waiting + byteLength > WAITING_BYTES_MAX)
        throw failure("unavailable.batches", {}, { retryAfter: WAITING_RETRY_SECONDS });
    }
    const status = needsReview ? "needs_review" : "pending";
    const common = { submitter: username, status } as const;
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    // Identical bytes give the same batch.
    const name = `batch-${digest.slice(0, NAME_DIGITS)}`;
    const now = formatDatetime(context.now);
    const year = new Date(context.now).getUTCFullYear();
    const format = detectFormat(bytes);
    const { errors, items } =
      format === "jsonl"
        ? checkLines(bytes, year, common)
        : await readRecords(format, { bytes, name, year }, common);
    // Q802: programs that send lines get all errors before anything is queued.
    const isStrict = format === "jsonl" && !wantsBatchPage(context);
    if (items.length === 0 || (isStrict && errors.length > 0)) return { errors, typed };
    await chargeBytes(context, submitter, byteLength);
    const { batch } = await openBatch(catalog, {
      name,
      submitter: username,
      now,
      bytes: byteLength,
      // Lines are held to the standard of retail data, as ever.
      format: format === "jsonl" ? null : format,
    });
    const { pending, ...added } = await addItems(catalog, items, { batch: batch.id, now });
    await queueItems(importQueue, pending);
    const titles = items
      .slice(0, TITLES_MAX)
      .map(({ data }) => textOf(parseDocument(data ?? "{}")["title"]) ?? "");
    const queued = { batch: { id: batch.id, name: batch.name }, ...added, needs_review: needsReview };
    return { ...queued, errors, titles };
  },
  asJson(outcome) {
    const headers = { Vary: "Accept" };
    const errors = outcome.errors.map(({ line_number, text }) => {
      return { line_number, error_message: english(text) };
    });
    if (!("batch" in outcome)) return { ...privateJson({ errors }), status: 400, headers };
    const { titles: _titles, errors: _errors, ...queued } = outcome;
    return { ...privateJson({ ...queued, ...(errors.length > 0 && { errors }) }), headers };
  },
  page: (outcome) =>
    "batch" in outcome ? submittedPage(outcome) : newBatchPage(LIMITS, outcome, outcome === EMPTY_UPLOAD),
  done: { to: "/import/batch/new", notice: "imports.received" },
});

/** Returns the bytes of the uploaded file or text, undefined without either. Throws 413 above `BATCH_BYTES`. */
async function readUpload(
  request: Request,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; typed: string | undefined } | undefined> {
  const type = (request.headers.get("Content-Type") ?? "").toLowerCase();
  let form: FormData | URLSearchParams;
  if (type.startsWith("multipart/form-data")) {
    // Without a declared length the runtime would read without limit.
    const declared = request.headers.get("Content-Length");
    if (declared === null) throw failure("bad_data.no_length");
    if (Number(declared) > BATCH_BYTES + FORM_OVERHEAD_BYTES) throw tooLarge(BATCH_BYTES);
    await takeBodyRoom(request, BATCH_BYTES);
    form = await request.formData().catch(() => new FormData());
  } else {
    const text = await bodyText(request, BATCH_BYTES * URLENCODED_GROWTH + FORM_OVERHEAD_BYTES);
    form = new URLSearchParams(text);
  }
  for (const name of ["batchImportFile", "batchImportText"]) {
    const value: File | string = form.get(name) ?? "";
    const bytes = new Uint8Array(
      typeof value === "string" ? new TextEncoder().encode(value) : await value.arrayBuffer(),
    );
    if (bytes.byteLength > BATCH_BYTES) throw tooLarge(BATCH_BYTES);
    // Browsers send an empty file if none was chosen.
    const typed = typeof value === "string" && value.length <= TYPED_LENGTH ? value : undefined;
    if (bytes.byteLength > 0) return { bytes, typed };
  }
  return undefined;
}

function detectFormat(bytes: Uint8Array): "jsonl" | "marc" | "marcxml" {
  if (readStatedLength(withoutMark(bytes)) !== undefined) return "marc";
  return /^\s*</.test(decodeHead(bytes).slice(0, KIB)) ? "marcxml" : "jsonl";
}

/** Reads the records of an upload of MARC or MARCXML: those that can be imported, and the reasons against others. */
async function readRecords(
  format: "marc" | "marcxml",
  { bytes, name, year }: { bytes: Uint8Array<ArrayBuffer>; name: string; year: number },
  common: Pick<NewItem, "submitter" | "status">,
) {
  const [errors, items]: [LineError[], NewItem[]] = [[], []];
  let number = 0;
  const source = new Blob([bytes]).stream();
  try {
    for await (const { item } of IMPORT_FORMATS[format].entries({
      name,
      source,
      start: 0,
      records: 0,
      latest: year,
    })) {
      if (item === undefined) continue;
      number += 1;
      if (number > BATCH_LINES) {
        const text = { key: "not_imported.lines", values: { most: BATCH_LINES } } as const;
        return { errors: [{ line_number: number, text }], items: [] };
      }
      const { status, error: _error, comments: reason = "", ...read } = item;
      if (status === undefined) items.push({ ...read, ...common });
      else errors.push({ line_number: number, text: { key: "not_imported.record", values: { reason } } });
    }
  } catch (error) {
    if (!(error instanceof FileProblem) && !(error instanceof XmlError)) throw error;
    errors.push({ line_number: number + 1, text: error.text });
  }
  if (number === 0 && errors.length === 0)
    errors.push({ line_number: 1, text: { key: "not_imported.no_records" } });
  return { errors, items };
}

/**
 * Checks all lines of an upload; `common` are the members that all items share. Lines end with LF or CRLF. Lines that start with `#` are comments; empty lines at the
 * end are ignored.
 */
function checkLines(bytes: Uint8Array, year: number, common: Pick<NewItem, "submitter" | "status">) {
  const items: NewItem[] = [];
  const rejectFile = (text: Text, line = 1) => ({ errors: [{ line_number: line, text }], items });
  const problem = findForeignFormat(decodeHead(bytes));
  if (problem !== undefined) return rejectFile({ key: problem });
  const text = decodeUtf8(withoutMark(bytes));
  if (text === undefined) return rejectFile({ key: "not_imported.utf8" });
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  while (lines.at(-1) === "") lines.pop();
  // Q351: the limit counts comment lines too.
  if (lines.length > BATCH_LINES)
    return rejectFile({ key: "not_imported.lines", values: { most: BATCH_LINES } }, BATCH_LINES + 1);
  const errors: LineError[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("#")) continue;
    const number = index + 1;
    const parsed = parseBatchLine(line, number, { year });
    if (!("data" in parsed)) {
      errors.push(...parsed);
      continue;
    }
    const data = canonicalJson(parsed.data);
    if (utf8Length(data) > IMPORT_DATA_BYTES) errors.push({ line_number: number, text: TOO_LONG });
    else items.push({ ...common, ia_id: parsed.ia_id, data, place: number });
  }
  if (errors.length + items.length === 0) return rejectFile({ key: "not_imported.no_records" });
  const [unreported, ...others] = errors.splice(BATCH_ERRORS_MAX);
  if (unreported !== undefined) {
    const values = { count: others.length + 1 };
    errors.push({ line_number: unreported.line_number, text: { key: "not_imported.more_errors", values } });
  }
  return { errors, items };
}

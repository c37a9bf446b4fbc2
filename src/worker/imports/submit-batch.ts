import { MIB } from "../../catalog/units.ts";
import type { Text } from "../../catalog/texts.ts";
import { utf8Length, decodeUtf8 } from "../../catalog/bytes.ts";
import { type Added, type NewItem, addItems } from "../../db/imports/items.ts";
import { decodeHead, findForeignFormat, withoutMark } from "../../import/head.ts";
import { type LineError, IMPORT_DATA_BYTES, TOO_LONG, parseBatchLine } from "../../import/validate.ts";
import { canonicalJson } from "../../import/record.ts";
import type { ImportTime } from "../../import/records/prepare.ts";
import { Buffer } from "node:buffer";
import { formatDatetime } from "../../catalog/datetime.ts";
import { measureWaiting, openBatch } from "../../db/imports/batches.ts";
import type { Actor, RequestContext } from "../http/operation.ts";
import type { Stores } from "../http/bindings.ts";
import { failure } from "../http/failure.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { chargeBytes } from "../editing/byte-budget.ts";
import { queueItems } from "./import-queue.ts";

export const BATCH_LINES = 10_000;
export const BATCH_ERRORS_MAX = 50_000;

type CheckResult = { errors: readonly LineError[]; items: readonly NewItem[] };

/**
 * Checks all lines of an upload; `common` are the members that all items share. Lines end with LF or CRLF. Lines that
 * start with `#` are comments; empty lines at the end are ignored.
 */
function checkLines(bytes: Uint8Array, time: ImportTime, common: Pick<NewItem, "submitter" | "status">) {
  const problem = findForeignFormat(decodeHead(bytes));
  if (problem !== undefined) return rejectFile(1, { key: problem });
  const text = decodeUtf8(withoutMark(bytes));
  if (text === undefined) return rejectFile(1, { key: "not_imported.utf8" });
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  while (lines.at(-1) === "") lines.pop();
  // Q351: the limit counts comment lines too.
  if (lines.length > BATCH_LINES) {
    return rejectFile(BATCH_LINES + 1, { key: "not_imported.lines", values: { most: BATCH_LINES } });
  }
  const errors: LineError[] = [];
  const items: NewItem[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("#")) continue;
    const number = index + 1;
    const parsed = parseBatchLine(line, number, time);
    if (!("data" in parsed)) {
      errors.push(...parsed);
      continue;
    }
    const data = canonicalJson(parsed.data);
    if (utf8Length(data) > IMPORT_DATA_BYTES) errors.push({ line_number: number, text: TOO_LONG });
    else items.push({ ...common, ia_id: parsed.ia_id, data, place: number });
  }
  if (errors.length + items.length === 0) return rejectFile(1, { key: "not_imported.no_records" });
  return { errors: errors.length <= BATCH_ERRORS_MAX ? errors : truncateErrors(errors), items };
}

function truncateErrors(errors: readonly LineError[]): LineError[] {
  const reported = errors.slice(0, BATCH_ERRORS_MAX);
  const { line_number: line } = errors[BATCH_ERRORS_MAX] ?? { line_number: 1 };
  const count = errors.length - BATCH_ERRORS_MAX;
  return [...reported, { line_number: line, text: { key: "not_imported.more_errors", values: { count } } }];
}

function rejectFile(line: number, text: Text): CheckResult {
  return { errors: [{ line_number: line, text }], items: [] };
}

export interface Submitted extends Omit<Added, "pending"> {
  readonly batch: { readonly id: number; readonly name: string };
  readonly needs_review: boolean;
}

export const SUBMITTED_WAITING_MAX = 20;
/** Bytes of the batches of all patrons that wait for approval: a twentieth of the database. */
export const WAITING_BYTES_MAX = 512 * MIB;
const WAITING_RETRY_SECONDS = 3600;
const NAME_DIGITS = 20;

type Submitter = Actor & { readonly username: string };

/** Returns the account that submits a batch. Throws 403 unless the client is logged in and may write. */
export async function requireSubmitter(context: RequestContext): Promise<Submitter> {
  const actor = await context.actor();
  const { username } = actor;
  if (username === null) throw failure("forbidden.batch_login");
  if (actor.groups.has(READ_ONLY_GROUP)) throw failure("forbidden.read_only_account");
  return { ...actor, username };
}

/**
 * Queues the records of an upload, or returns the errors of its lines. Identical bytes give the same batch. Records
 * from non-administrators wait for approval. Throws 403 if too many batches of the patron
 * are waiting, 503 if those of all patrons are too large, and 429 if the account has stored too much.
 */
export async function submitBatch(
  context: RequestContext,
  submitter: Submitter,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Submitted | { readonly errors: readonly LineError[] }> {
  const { stores, now: time } = context;
  const { username } = submitter;
  const needsReview = !hasRole(submitter, "admin");
  if (needsReview) await requireCapacity(stores, username, bytes.byteLength);
  const status = needsReview ? "needs_review" : "pending";
  const year = new Date(time).getUTCFullYear();
  const { errors, items } = checkLines(bytes, { year }, { submitter: username, status });
  if (errors.length > 0) return { errors };
  await chargeBytes(context, submitter, bytes.byteLength);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const now = formatDatetime(time);
  const name = `batch-${digest.slice(0, NAME_DIGITS)}`;
  const { byteLength } = bytes;
  const { batch } = await openBatch(stores.catalog, { name, submitter: username, now, bytes: byteLength });
  const { pending, ...added } = await addItems(stores.catalog, items, { batch: batch.id, now });
  await queueItems(stores.importQueue, pending);
  return { batch: { id: batch.id, name: batch.name }, ...added, needs_review: needsReview };
}

/** Q356: limits the unreviewed data that one patron, and all patrons together, can store. */
async function requireCapacity({ catalog }: Stores, username: string, size: number): Promise<void> {
  const { own = 0, bytes = 0 } = (await measureWaiting(catalog, username)) ?? {};
  if (own >= SUBMITTED_WAITING_MAX) throw failure("forbidden.batches", { waiting: own });
  if (bytes + size <= WAITING_BYTES_MAX) return;
  throw failure("unavailable.batches", {}, { retryAfter: WAITING_RETRY_SECONDS });
}

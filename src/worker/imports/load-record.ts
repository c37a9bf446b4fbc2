import { Buffer } from "node:buffer";
import { datetimeText } from "../../catalog/datetime.ts";
import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";
import { BUSY, READ_ONLY_NOW } from "../../db/editing/check-request.ts";
import type { ClaimedItem, LoadRequest, LoadResult } from "../../db/imports/import-request.ts";
import { previewLoad } from "../../db/imports/import-record.ts";
import type { ImportDesk } from "../../durable/import-desk.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type LoadReply, coverAddress } from "../../import/load/decision.ts";
import { preparedRecord } from "../../import/load/prepared-record.ts";
import type { ImportRecord } from "../../import/record.ts";
import { queueCover } from "../covers/queue-cover.ts";
import { writeError } from "../history/edit-desk.ts";
import type { Stores } from "../http/bindings.ts";
import { isOverloaded } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import type { Settings } from "../http/settings.ts";
import type { ImportWriter, LoadContext } from "./load-context.ts";

/** Timeout for notifying the service that holds scans, in milliseconds. */
const ITEM_NOTICE_MS = 5_000;

/** Notifies the service that holds a scan of the resulting edition and work. Failures are only logged. */
async function noticeItem(
  { ITEM_NOTICE_URL: url }: Pick<Settings, "ITEM_NOTICE_URL">,
  ocaid: string,
  { edition, work }: LoadReply,
): Promise<void> {
  if (url === "") return;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ocaid, edition: edition.key, work: work.key }),
      redirect: "manual",
      signal: AbortSignal.timeout(ITEM_NOTICE_MS),
    });
    await response.body?.cancel();
    if (!response.ok) logLine("error", "item-notice", { ocaid, status: response.status });
  } catch (error) {
    logLine("error", "item-notice", { ocaid, error: String(error) });
  }
}

/** Options of loading a record. */
export interface LoadOptions extends ImportWriter {
  /** True for records from an item's own MARC file. */
  readonly fromMarc?: boolean;
  /** If true, nothing is saved. */
  readonly preview?: boolean;
  /** Queue item that the import ends, in the same transaction. */
  readonly item?: ClaimedItem;
}

/** Response of a load. A preview also lists the documents that it would have saved. */
export type LoadAnswer = LoadReply & { readonly preview?: true; readonly edits?: readonly CatalogRecord[] };

/** Error thrown if another worker holds the item by now, or the item has ended. The caller has nothing left to do. */
export class ItemLost extends Error {
  constructor() {
    super("the item is not claimed any more");
    this.name = "ItemLost";
  }
}

/**
 * Imports one validated record: checks, normalises, matches, and creates or enriches. Throws `ImportFailure` if the
 * record is at fault, `ItemLost`, or another error if the service is, such as a 503 when it is overloaded or read-only.
 */
export async function loadRecord(
  context: LoadContext,
  record: ImportRecord,
  options: LoadOptions,
): Promise<LoadAnswer> {
  const now = context.sources.now();
  const prepared = preparedRecord(record, { year: new Date(now).getUTCFullYear() });
  const { preview = false, fromMarc = false, ...others } = options;
  const coverHosts = context.settings.COVER_HOSTS;
  const request = { ...others, record: JSON.stringify(prepared), fromMarc, coverHosts, now };
  if (preview) return previewOf(context, prepared, request);
  const result = await answerOf(context.stores, request);
  if (!result.ok) throw failureOf(result);
  const { reply, saved, cover } = result;
  if (saved !== null) context.saved(saved);
  if (cover !== null) context.later(queueCover(context.stores.coverJobs, cover));
  const { ocaid } = prepared;
  if (typeof ocaid === "string") context.later(noticeItem(context.settings, ocaid, reply));
  logRefusedCover(prepared, request);
  return reply;
}

/** Logs a cover on a host that is not allowed. This is not an error. */
function logRefusedCover(
  { cover, source_records: sources }: ImportRecord,
  { coverHosts }: LoadRequest,
): void {
  if (typeof cover !== "string" || coverAddress(cover, coverHosts) !== undefined) return;
  const source = stringsOf(sources)[0];
  logLine("info", "import-cover-refused", { source, host: URL.parse(cover.trim())?.host });
}

async function previewOf(
  { settings, sources, stores }: LoadContext,
  record: ImportRecord,
  { author, bot, ip, fromMarc, coverHosts, now }: LoadRequest,
): Promise<LoadAnswer> {
  const prefix = settings.RECORD_PREFIX;
  const job = {
    record,
    options: { prefix, now, fromMarc, coverHosts },
    loading: { prefix, author, bot, ip, now: datetimeText(now) },
  };
  const { reply, edits } = await previewLoad(stores.catalog.withSession("first-primary"), job, () =>
    uuidOf(sources.newSecret()),
  );
  return { ...reply, preview: true, edits };
}

/** Formats 128 random bits, given in base64url, as a UUID. */
function uuidOf(secret: string): string {
  const hex = Buffer.from(secret, "base64url").toString("hex").padEnd(32, "0");
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end)).join("-");
}

/** Name of the single Durable Object that imports. */
export const DESK_NAME = "catalog";

async function answerOf({ importDesk }: Stores, request: LoadRequest): Promise<LoadResult> {
  try {
    // The inferred type is too deep for the compiler, because JSON values contain JSON values.
    const desk = importDesk.getByName(DESK_NAME) as unknown as Pick<ImportDesk, "load">;
    return await desk.load(request);
  } catch (error) {
    if (isOverloaded(error)) return { ok: false, why: "busy" };
    throw error;
  }
}

function failureOf(result: LoadResult & { readonly ok: false }): Error {
  switch (result.why) {
    case "refused":
      // The desk serialised this text from an object.
      return new ImportFailure(result.code, result.message, JSON.parse(result.extra) as Record<string, Json>);
    // Q343: the record is not at fault.
    case "busy":
      return writeError([BUSY]);
    case "read-only":
      return writeError([READ_ONLY_NOW]);
    case "spent":
      return writeError([result.failure]);
    case "item-lost":
      return new ItemLost();
  }
}

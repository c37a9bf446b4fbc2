import type { ClaimedItem, ImportedNow, ImportResult } from "../../db/imports/import-request.ts";
import { Buffer } from "node:buffer";
import { BUSY, READ_ONLY_NOW } from "../../db/editing/check-request.ts";
import type { WriteBudget } from "../../db/editing/request.ts";
import { writeBudgets } from "../editing/byte-budget.ts";
import { afterSave } from "../editing/save-change.ts";
import { propagateChange, writeError } from "../editing/edit-desk.ts";
import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { previewJob } from "../../db/imports/import-record.ts";
import type { ImportDesk } from "../../durable/import-desk.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type ImportResponse, toAllowedCoverUrl } from "../../import/records/decision.ts";
import { prepareRecord } from "../../import/records/prepare.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { queueCover } from "../covers/jobs.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import type { Settings } from "../http/settings.ts";
import { isOverloaded } from "../http/errors.ts";
import { logLine } from "../http/log.ts";

export interface ImportContext extends Jobs {
  saved(change: ImportedNow): void;
  later(work: Promise<unknown>): void;
}

/** Returns the latest possible year of publication: books are announced for the next one. */
export function latestYear({ sources }: Pick<Jobs, "sources">): number {
  return new Date(sources.now()).getUTCFullYear() + 1;
}

export function requestImportContext(context: RequestContext): ImportContext {
  const { settings, sources, stores } = context;
  return {
    settings,
    sources,
    stores,
    saved: (result) => afterSave(context, result),
    later: (work) => context.waitUntil(work),
  };
}

export function jobImportContext(jobs: Jobs): ImportContext & { settled(): Promise<void> } {
  const works: Promise<unknown>[] = [];
  let last: number | undefined;
  return {
    ...jobs,
    saved({ change }) {
      last = Math.max(change, last ?? 0);
    },
    later: (work) => void works.push(work),
    async settled() {
      // One message covers all changes: it only announces that the log has grown.
      const announced = last === undefined ? undefined : propagateChange(jobs.stores, last);
      last = undefined;
      await Promise.all([announced, ...works.splice(0)]);
    },
  };
}

interface ImportWriter {
  readonly author: string;
  readonly bot: boolean;
  readonly ip: string | null;
  /** Byte budgets of the author. Nothing is counted if undefined. */
  readonly budgets?: readonly WriteBudget[];
  readonly grant?: string;
}

export async function writerOfRequest(context: RequestContext): Promise<ImportWriter> {
  const actor = await context.actor();
  const { key, bot, grant } = actor;
  // Every import route requires an access level with an account.
  if (key === null) throw new Error("an import without an account");
  return {
    author: key,
    bot,
    ip: context.client,
    budgets: writeBudgets(actor, context.settings),
    ...(grant && { grant }),
  };
}

export function botWriter({ IMPORT_BOT }: Settings): ImportWriter {
  return { author: `/people/${IMPORT_BOT}`, bot: true, ip: null };
}

const ITEM_NOTICE_TIMEOUT_MS = 5_000;

/** Notifies the service that holds a scan of the resulting edition and work. Failures are only logged. */
async function notifyItemService(
  url: string,
  ocaid: string,
  { edition, work }: ImportResponse,
): Promise<void> {
  if (url === "") return;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ocaid, edition: edition.key, work: work.key }),
      redirect: "manual",
      signal: AbortSignal.timeout(ITEM_NOTICE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) logLine("error", "item-notice", { ocaid, status: response.status });
  } catch (error) {
    logLine("error", "item-notice", { ocaid, error: String(error) });
  }
}

export interface ImportOptions extends ImportWriter {
  /** True for records from an item's own MARC file. */
  readonly fromMarc?: boolean;
  readonly preview?: boolean;
  readonly item?: ClaimedItem;
  /** Warnings of the reader of the record. */
  readonly warnings?: readonly ImportWarning[];
}

export type ImportOutcome = ImportResponse & {
  readonly preview?: true;
  readonly edits?: readonly CatalogRecord[];
};

/** Error for an item that another worker has claimed or ended. The caller has nothing left to do. */
export class ItemLost extends Error {
  constructor() {
    super("the item is not claimed any more");
    this.name = "ItemLost";
  }
}

export const IMPORT_DESK = "catalog";

/**
 * Imports one validated record: checks, normalises, matches, and creates or enriches. Throws `ImportFailure` if the
 * record is at fault, `ItemLost`, or another error if the service is, such as a 503 when it is overloaded or read-only.
 */
export async function importRecord(
  context: ImportContext,
  record: ImportRecord,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { settings, sources, stores } = context;
  const now = sources.now();
  const warnings = [...(options.warnings ?? [])];
  const prepared = prepareRecord(record, { year: new Date(now).getUTCFullYear() }, warnings);
  const { preview = false, fromMarc = false, ...others } = options;
  const { COVER_HOSTS: coverHosts, RECORD_PREFIX: prefix } = settings;
  const request = { ...others, record: prepared, fromMarc, coverHosts, now, warnings };
  if (preview) {
    const session = stores.catalog.withSession("first-primary");
    const previewed = await previewJob(session, { ...request, prefix }, () => uuidOf(sources.newSecret()));
    return { ...previewed.reply, preview: true, edits: previewed.edits };
  }
  // The inferred type is too deep for the compiler, because JSON values contain JSON values.
  const desk = stores.importDesk.getByName(IMPORT_DESK) as unknown as Pick<ImportDesk, "importRecord">;
  const result = await desk.importRecord(request).catch((error: unknown): ImportResult => {
    if (isOverloaded(error)) return { ok: false, why: "busy" };
    throw error;
  });
  if (!result.ok) throw toImportError(result);
  const { reply, saved, cover } = result;
  if (saved !== null) context.saved(saved);
  if (cover !== null) context.later(queueCover(stores.coverJobs, cover));
  const { ocaid, cover: coverUrl, source_records: names } = prepared;
  if (typeof ocaid === "string") context.later(notifyItemService(settings.ITEM_NOTICE_URL, ocaid, reply));
  if (typeof coverUrl === "string" && toAllowedCoverUrl(coverUrl, coverHosts) === undefined) {
    const [source] = stringsOf(names);
    logLine("info", "import-cover-refused", { source, host: URL.parse(coverUrl.trim())?.host });
  }
  return reply;
}

function uuidOf(secret: string): string {
  const hex = Buffer.from(secret, "base64url").toString("hex").padEnd(32, "0");
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end)).join("-");
}

function toImportError(result: ImportResult & { readonly ok: false }): Error {
  switch (result.why) {
    case "refused":
      return new ImportFailure(result.code, result.text, result.extra);
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

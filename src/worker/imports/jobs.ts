import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { failBatch } from "../../db/imports/batches.ts";
import { storedWarnings } from "../../db/imports/import-rows.ts";
import { type Claimed, claimItems, failItem, failWaiting, giveBack } from "../../db/imports/claims.ts";
import { readServiceState } from "../../db/service/service-state.ts";
import { ImportFailure } from "../../import/failure.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { parseRecord } from "../../import/record.ts";
import { parseImport } from "../../import/parse.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { Failure } from "../http/failure.ts";
import { logLine, loggable } from "../http/log.ts";
import { type Jobs, doublingDelay, queue } from "../http/queue.ts";
import { READ_ONLY_RETRY_SECONDS } from "../http/read-only.ts";
import { importItem } from "./import-api.ts";
import { type ImportContext, ItemLost, botWriter, jobImportContext, importRecord } from "./import-record.ts";
import { itemsMessage, queueItems, splitMessage } from "./import-queue.ts";
import { INTERNAL_ERROR } from "./resume.ts";
import { splitBatch } from "./split-batch.ts";
import { createStagedLookup } from "./lookups.ts";

export const IMPORT_ATTEMPTS = 5;
/** Delay before the second attempt in seconds. Doubles with each further attempt. */
export const IMPORT_WAIT_SECONDS = 30;

/**
 * Imports a claimed item and ends it. Never throws. An invalid record fails at once. A service error releases the item
 * for a retry, up to `IMPORT_ATTEMPTS` times. Overload and read-only mode release it without limit.
 */
export async function importClaimed(item: Claimed, claim: string, context: ImportContext): Promise<void> {
  try {
    try {
      await importItemOrRecord(item, claim, context);
    } catch (error) {
      await recordFailure(item, { claim, error }, context);
    }
  } catch (error) {
    // The failure could not be stored. The sweep releases the item.
    logLine("error", "imports", { item: item.id, error: String(loggable(error)) });
  }
}

async function importItemOrRecord(item: Claimed, claim: string, context: ImportContext): Promise<void> {
  const options = { ...botWriter(context.settings), item: { id: item.id, claim } };
  if (item.data === null) {
    await importItem(context, { identifier: item.ia_id, requireMarc: false, force: false, ...options });
  } else {
    const warnings = storedWarnings(item);
    const record = await parseItemRecord({ ...item, data: item.data }, context, warnings);
    await importRecord(context, record, { ...options, warnings });
  }
}

/** Parses the record of an item like `POST /api/import`, which does not validate catalogued records either. */
async function parseItemRecord(
  { format, data }: Claimed & { readonly data: string },
  { stores }: ImportContext,
  warnings: ImportWarning[],
) {
  if (format !== null && IMPORT_FORMATS[format].isCatalogued === true) return parseRecord(data);
  return parseImport(new TextEncoder().encode(data), [], { staged: createStagedLookup(stores), warnings });
}

async function recordFailure(
  { id, attempts }: Claimed,
  { claim, error }: { claim: string; error: unknown },
  { stores, sources }: ImportContext,
): Promise<void> {
  // Another worker holds the item by now, or has ended it.
  if (error instanceof ItemLost) return;
  const { catalog, importQueue } = stores;
  const time = sources.now();
  const claimed = { id, claim };
  if (error instanceof ImportFailure) {
    const { code, message } = error;
    return failItem(catalog, claimed, { error: code, reason: message, now: formatDatetime(time) });
  }
  const reason = String(loggable(error));
  // Q354: overload and read-only mode do not count as failures.
  const isFailure = !(error instanceof Failure && error.status === 503);
  logLine(isFailure ? "error" : "info", "imports", { item: id, attempts: attempts + 1, error: reason });
  if (isFailure && attempts + 1 >= IMPORT_ATTEMPTS) {
    return failItem(catalog, claimed, { error: INTERNAL_ERROR, reason, now: formatDatetime(time) });
  }
  const wait = IMPORT_WAIT_SECONDS * 2 ** attempts;
  await giveBack(catalog, claimed, { due: formatDatetime(time + wait * 1000), reason, isFailure });
  // A message that arrives too early finds nothing to do.
  await queueItems(importQueue, [id], wait + 1);
}

export const MESSAGE_WAIT_SECONDS = 30;

/** Queue of imports: files to split and items to import. The database rows hold the state of the work. */
export const importsQueue = queue({
  name: "carrel-imports",
  event: "imports",
  misfit: "not a message of this queue",
  message: z.union([splitMessage, itemsMessage]),
  retry: doublingDelay(MESSAGE_WAIT_SECONDS),
  work: (message, jobs) =>
    "split" in message ? splitBatch(message.split, jobs) : importItems(message.items, jobs),
  onDeadLetter: failDeadLetters,
});

async function importItems(ids: readonly number[], jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const state = await readServiceState(stores.catalog);
  // An attempt in read-only mode would count as a service failure.
  if (state?.value === "on") return queueItems(stores.importQueue, ids, READ_ONLY_RETRY_SECONDS);
  const claim = sources.newSecret();
  const claimed = await claimItems(stores.catalog, ids, { claim, now: formatDatetime(sources.now()) });
  if (claimed.length === 0) return;
  const context = jobImportContext(jobs);
  await Promise.all(claimed.map((item) => importClaimed(item, claim, context)));
  await context.settled();
}

async function failDeadLetters(messages: readonly Message[], { stores, sources }: Jobs): Promise<void> {
  const { catalog } = stores;
  for (const { id, body } of messages) {
    const now = formatDatetime(sources.now());
    logLine("error", "imports", { message: id, problem: "undeliverable" });
    const split = splitMessage.safeParse(body);
    if (split.success) {
      const problem = "Its messages could not be delivered: the log of the service says why.";
      await failBatch(catalog, { id: split.data.split, problem, now });
    }
    const items = itemsMessage.safeParse(body);
    if (!items.success) continue;
    const reason = "The message about it could not be delivered: the log of the service says why.";
    await failWaiting(catalog, items.data.items, { error: INTERNAL_ERROR, reason, now });
  }
}

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
import { Failure } from "../http/failure.ts";
import { logLine, loggable } from "../http/log.ts";
import { doublingDelay, queue } from "../http/queue.ts";
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
    await importItemOrRecord(item, claim, context).catch((error: unknown) =>
      recordFailure(item, claim, error, context),
    );
  } catch (error) {
    // The failure could not be stored. The sweep releases the item.
    logLine("error", "imports", { item: item.id, error: String(loggable(error)) });
  }
}

async function importItemOrRecord(item: Claimed, claim: string, context: ImportContext): Promise<void> {
  const { id, ia_id: identifier, format, data } = item;
  const options = { ...botWriter(context.settings), item: { id, claim } };
  if (data === null) {
    await importItem(context, { identifier, requireMarc: false, force: false, ...options });
    return;
  }
  const warnings = storedWarnings(item);
  // Like `POST /api/import`, which does not validate catalogued records either.
  const isCatalogued = format !== null && IMPORT_FORMATS[format].isCatalogued === true;
  const record = isCatalogued
    ? parseRecord(data)
    : await parseImport(new TextEncoder().encode(data), [], {
        staged: createStagedLookup(context.stores),
        warnings,
      });
  await importRecord(context, record, { ...options, warnings });
}

async function recordFailure(
  { id, attempts }: Claimed,
  claim: string,
  error: unknown,
  { stores: { catalog, importQueue }, sources }: ImportContext,
): Promise<void> {
  // Another worker holds the item by now, or has ended it.
  if (error instanceof ItemLost) return;
  const time = sources.now();
  const now = formatDatetime(time);
  if (error instanceof ImportFailure)
    return failItem(catalog, { id, claim }, { error: error.code, reason: error.message, now });
  const reason = String(loggable(error));
  // Q354: overload and read-only mode do not count as failures.
  const isFailure = !(error instanceof Failure && error.status === 503);
  logLine(isFailure ? "error" : "info", "imports", { item: id, attempts: attempts + 1, error: reason });
  if (isFailure && attempts + 1 >= IMPORT_ATTEMPTS)
    return failItem(catalog, { id, claim }, { error: INTERNAL_ERROR, reason, now });
  const wait = IMPORT_WAIT_SECONDS * 2 ** attempts;
  await giveBack(catalog, { id, claim }, { due: formatDatetime(time + wait * 1000), reason, isFailure });
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
  async work(message, jobs) {
    if ("split" in message) return splitBatch(message.split, jobs);
    const { stores, sources } = jobs;
    const { items } = message;
    const state = await readServiceState(stores.catalog);
    // An attempt in read-only mode would count as a service failure.
    if (state?.value === "on") return queueItems(stores.importQueue, items, READ_ONLY_RETRY_SECONDS);
    const claim = sources.newSecret();
    const claimed = await claimItems(stores.catalog, items, { claim, now: formatDatetime(sources.now()) });
    if (claimed.length === 0) return;
    const context = jobImportContext(jobs);
    await Promise.all(claimed.map((item) => importClaimed(item, claim, context)));
    await context.settled();
  },
  async onDeadLetter(messages, { stores: { catalog }, sources }) {
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
  },
});

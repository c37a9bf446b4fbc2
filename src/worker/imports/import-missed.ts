import { formatDatetime } from "../../catalog/datetime.ts";
import { bothIsbnsOf } from "../../catalog/identifiers/isbn.ts";
import { claimStaged, failItem, releaseStaged } from "../../db/imports/claims.ts";
import { findStagedOrPending } from "../../db/imports/lookups.ts";
import { readServiceState } from "../../db/service/service-state.ts";
import { ImportFailure } from "../../import/failure.ts";
import { parseImport } from "../../import/parse.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { lookUpBook } from "./affiliate.ts";
import {
  type ImportContext,
  ItemLost,
  botWriter,
  importRecord,
  requestImportContext,
} from "./import-record.ts";
import { type LookupMessage, stageRecord, createStagedLookup } from "./lookups.ts";

/**
 * Imports the first record staged for a book and releases the others. Returns false if there was none, or if it could
 * not be imported; its row then holds the reason. Throws `ItemLost` if another worker took the row in the meantime.
 */
async function importFirstStaged(
  context: ImportContext,
  identifiers: readonly string[],
  pendingToo: boolean,
): Promise<boolean> {
  const { stores, settings, sources } = context;
  const claim = sources.newSecret();
  const now = formatDatetime(sources.now());
  const [first] = await claimStaged(stores.catalog, identifiers, { claim, now, pendingToo });
  if (first === undefined) return false;
  const item = { id: first.id, claim };
  try {
    const warnings: ImportWarning[] = [];
    const options = { staged: createStagedLookup(stores), warnings };
    const record = await parseImport(new TextEncoder().encode(first.data ?? "{}"), [], options);
    await importRecord(context, record, { ...botWriter(settings), item, warnings });
    return true;
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const failure = { error: error.code, reason: error.message, now: formatDatetime(sources.now()) };
    await failItem(stores.catalog, item, failure);
    return false;
  } finally {
    // Rows that the service failed to import wait for the next request.
    await releaseStaged(stores.catalog, claim);
  }
}

const IMPORTS_PER_REQUEST = 10;

export type MissedBook = Pick<LookupMessage, "isbn" | "asin">;

/**
 * Imports books that a client is waiting for, from staged records or from the affiliate. Returns the books whose
 * existence is still unknown. Logs errors instead of throwing them.
 */
export async function importMissed(
  context: RequestContext,
  missed: readonly MissedBook[],
): Promise<readonly MissedBook[]> {
  const state = await readServiceState(context.stores.catalog);
  if (state?.value === "on") return missed;
  const now = missed.slice(0, IMPORTS_PER_REQUEST);
  const answered = await Promise.all(
    now.map((book) =>
      importBook(context, book).catch((error: unknown) => {
        // Another worker is importing the book: there is no result yet, but no error either.
        if (!(error instanceof ItemLost))
          logLine("error", "lookup", { requestId: context.requestId, problem: String(loggable(error)) });
        return false;
      }),
    ),
  );
  return missed.filter((_book, index) => answered[index] !== true);
}

/** Imports a book if it can be found. Returns false if it is still unknown whether it exists. */
async function importBook(context: RequestContext, { isbn, asin }: MissedBook): Promise<boolean> {
  const { settings, stores } = context;
  // Numbers under which a record of the book may be staged.
  const forms = isbn === null ? [asin] : bothIsbnsOf(isbn);
  const identifiers = forms.flatMap((form) => form ?? []);
  const [first] = identifiers;
  const importContext = requestImportContext(context);
  // Q362: a book whose only number is an ASIN does not wait for its turn in the queue.
  if (await importFirstStaged(importContext, identifiers, isbn === null)) return true;
  const canLookUp = settings.AFFILIATE_URL !== "" && settings.AFFILIATE_LOOKUP !== "off";
  if (first === undefined || !canLookUp) return false;
  // Q362: any ten characters can be an ASIN, so the client only waits for the lookup if the ASIN is known.
  if (isbn === null && (await findStagedOrPending(stores.catalog, identifiers)) === undefined) return false;
  const answer = await lookUpBook(context, first, { highPriority: true, stageImport: true });
  if (answer.kind === "nothing") return true;
  if (answer.kind === "hit") await stageRecord(context, answer.record);
  else if (answer.kind !== "staged") return false;
  await importFirstStaged(importContext, identifiers, isbn === null);
  return true;
}

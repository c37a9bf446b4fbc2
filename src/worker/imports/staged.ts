import { datetimeText } from "../../catalog/datetime.ts";
import { stringsOf } from "../../catalog/record.ts";
import { openBatch } from "../../db/imports/batches.ts";
import { addItems } from "../../db/imports/items.ts";
import { firstStagedOrPending } from "../../db/imports/lookups.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type ImportRecord, canonicalJson, parseRecord } from "../../import/record.ts";
import type { StagedLookup } from "../../import/parse.ts";
import type { Stores } from "../http/bindings.ts";
import type { Jobs } from "../http/queue.ts";

const RETAIL_BATCH = "amz";
const GOOGLE_BATCH = "google";

/**
 * Stages a record until a client requests the book. A record that is in a batch already is left unchanged. Returns
 * false if the record has no source.
 */
export async function stageRecord({ stores, sources }: Jobs, record: ImportRecord): Promise<boolean> {
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined) return false;
  const now = datetimeText(sources.now());
  const name = source.startsWith("google_books:") ? GOOGLE_BATCH : RETAIL_BATCH;
  const { batch } = await openBatch(stores.catalog, { name, now });
  const item = { ia_id: source, status: "staged", data: canonicalJson(record) } as const;
  await addItems(stores.catalog, [item], { batch: batch.id, now });
  return true;
}

/** Returns a lookup for the staged or pending record of a book, from which incomplete records are completed. */
export function createStagedLookup({ catalog }: Pick<Stores, "catalog">): StagedLookup {
  return async (identifiers) => {
    const first = await firstStagedOrPending(catalog, identifiers);
    return first?.data === undefined || first.data === null ? undefined : parseStagedRecord(first.data);
  };
}

function parseStagedRecord(data: string): ImportRecord | undefined {
  try {
    return parseRecord(data);
  } catch (error) {
    if (error instanceof ImportFailure) return undefined;
    throw error;
  }
}

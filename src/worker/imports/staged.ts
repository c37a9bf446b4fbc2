import { datetimeText } from "../../catalog/datetime.ts";
import { stringsOf } from "../../catalog/record.ts";
import { openBatch } from "../../db/imports/write-batches.ts";
import { addItems } from "../../db/imports/write-items.ts";
import { firstStagedOrPending } from "../../db/imports/read-staged.ts";
import { ImportFailure } from "../../import/failure.ts";
import { canonicalJson, parsedRecord } from "../../import/json.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { StagedLookup } from "../../import/supplement.ts";
import type { Stores } from "../http/bindings.ts";
import type { RequestContext } from "../http/operation.ts";

/** Batches that records of lookups are staged in. */
const RETAIL_BATCH = "amz";
const GOOGLE_BATCH = "google";

/** Holds a record back until somebody asks for the book. One that is in a batch already stays there as it is. */
export async function stageHit(
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
  record: ImportRecord,
): Promise<boolean> {
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined) return false;
  const now = datetimeText(sources.now());
  const name = source.startsWith("google_books:") ? GOOGLE_BATCH : RETAIL_BATCH;
  const { batch } = await openBatch(stores.catalog, { name, now });
  const item = { ia_id: source, status: "staged", data: canonicalJson(record) } as const;
  await addItems(stores.catalog, [item], { batch: batch.id, now });
  return true;
}

/** Finds what is staged or waits for a book: incomplete records are filled from it. */
export function stagedLookup({ catalog }: Pick<Stores, "catalog">): StagedLookup {
  return async (identifiers) => {
    const first = await firstStagedOrPending(catalog, identifiers);
    return first?.data === undefined || first.data === null ? undefined : recordOf(first.data);
  };
}

/** What cannot be read fills nothing. */
function recordOf(data: string): ImportRecord | undefined {
  try {
    return parsedRecord(data);
  } catch (error) {
    if (error instanceof ImportFailure) return undefined;
    throw error;
  }
}

import { type ImportBatch, readBatch } from "../../db/imports/batches.ts";
import type { RequestContext } from "../http/operation.ts";
import { notFound } from "../http/errors.ts";

/** The batch whose number stands in an address; 404 when there is none. */
export async function batchAt({ stores }: RequestContext, text: string): Promise<ImportBatch> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const batch = id === undefined ? undefined : await readBatch(stores.catalog, id);
  if (batch === undefined) throw notFound();
  return batch;
}

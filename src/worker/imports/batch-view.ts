import { readBatch } from "../../db/imports/batches.ts";
import type { ImportBatch } from "../../db/imports/import-rows.ts";
import { readNames } from "../../db/records/titles.ts";
import { wantsJson } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import type { PublicBatch } from "./schemas.ts";

/** Maximum page of a list of batches or items. */
export const BATCH_PAGES_MAX = 100_000;

export function toPublicBatch({
  object: _object,
  digest: _digest,
  updated: _updated,
  ...batch
}: ImportBatch): PublicBatch {
  return batch;
}

/** Reads the batch whose number is in the path. Throws 404 if there is none. */
export async function requireBatch({ stores }: RequestContext, text: string): Promise<ImportBatch> {
  const batch = /^\d{1,15}$/.test(text) ? await readBatch(stores.catalog, Number(text)) : undefined;
  if (batch === undefined) throw notFound();
  return batch;
}

/** Reads the titles of imported editions, by key. One statement. */
export function readEditionNames(
  { stores }: RequestContext,
  items: readonly { readonly ol_key: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  return readNames(
    stores.catalog,
    items.flatMap(({ ol_key: key }) => key ?? []),
  );
}

/** Q350: batches are HTML pages, and JSON under `.json` or if `Accept` prefers it. */
export function wantsBatchPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && !wantsJson(request);
}

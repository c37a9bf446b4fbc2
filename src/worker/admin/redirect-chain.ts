import { type CatalogRecord, REDIRECT_HOPS_MAX, keyOf, typeKey } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/read-record.ts";
import type { RequestContext } from "../context.ts";
import { recordNotFound } from "../errors.ts";

/** The records that redirects lead through, from the first to the last; 404 when it does not exist. */
export async function redirectChain({ stores }: RequestContext, key: string): Promise<string[]> {
  const chain: string[] = [];
  for (let next: string | undefined = key; next !== undefined && chain.length <= REDIRECT_HOPS_MAX;) {
    const row = await readRecord(stores.catalog, next);
    if (row === undefined) break;
    chain.push(row.key);
    // What is stored went through validation when it was written.
    const record = JSON.parse(row.document) as CatalogRecord;
    const location: string | undefined =
      typeKey(record) === "/type/redirect" ? keyOf(record["location"]) : undefined;
    next = location === undefined || chain.includes(location) ? undefined : location;
  }
  if (chain.length === 0) throw recordNotFound(key);
  return chain;
}

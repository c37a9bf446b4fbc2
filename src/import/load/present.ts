import type { CatalogRecord } from "../../catalog/record.ts";
import { isBlank } from "../../catalog/write/prune.ts";

/** The members that say something: neither null nor an empty text or list. */
export function presentMembers(record: CatalogRecord): CatalogRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));
}

import type { CatalogRecord } from "../catalog/record.ts";

/**
 * A record to be imported (import.md 10): one flat JSON object. Members that no rule names are stored as they are; those
 * that rules name may still have any type until the record is validated.
 */
export type ImportRecord = CatalogRecord;

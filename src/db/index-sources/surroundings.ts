import { latestRecord } from "../../catalog/document.ts";
import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, REDIRECT_HOPS_MAX, isObject, keyOf, textOf } from "../../catalog/record.ts";
import { type RecordRow, latestOfMany } from "../records/read-record.ts";
import { type Database, batchRows } from "../statement.ts";

/** What the records of works and editions name: authors and series by key, scans by their ids. */
export interface Surroundings {
  /** Authors and series as they are named, and what these redirect to. */
  readonly records: ReadonlyMap<string, CatalogRecord>;
  readonly items: ReadonlyMap<string, ItemMetadata>;
}

interface ItemRow {
  ocaid: string;
  collections: string;
  access_restricted: number;
}

const ITEMS = `SELECT ocaid, collections, access_restricted FROM item
  WHERE ocaid IN (SELECT value FROM json_each(?1))`;

/**
 * Reads what records name. One round trip, and one more per hop where a record has been redirected. Deleted
 * records are left out.
 */
export async function readSurroundings(
  catalog: Database,
  named: readonly CatalogRecord[],
): Promise<Surroundings> {
  const keys = new Set(named.flatMap(keysNamedBy));
  const ocaids = new Set(named.flatMap(({ ocaid }) => textOf(ocaid) ?? []));
  const [found = [], items = []] = await batchRows(catalog, [
    latestOfMany([...keys]),
    { sql: ITEMS, values: [JSON.stringify([...ocaids])] },
  ]);
  // The rows have the columns of the statements.
  const records = new Map((found as RecordRow[]).map((row) => [row.key, latestRecord(row)]));
  await followRedirects(catalog, records);
  for (const [key, record] of records) {
    if (keyOf(record["type"]) === "/type/delete") records.delete(key);
  }
  return { records, items: new Map((items as ItemRow[]).map((row) => [row.ocaid, itemOf(row)])) };
}

function keysNamedBy({ authors, series }: CatalogRecord): string[] {
  const references = [authors, series].flatMap((list) => (Array.isArray(list) ? list : []));
  return references.flatMap((reference) => {
    const member = isObject(reference) ? (reference["author"] ?? reference["series"]) : undefined;
    return keyOf(member ?? reference) ?? [];
  });
}

async function followRedirects(catalog: Database, records: Map<string, CatalogRecord>): Promise<void> {
  for (let hop = 0; hop < REDIRECT_HOPS_MAX; hop += 1) {
    const missing = [...records.values()]
      .filter((record) => keyOf(record["type"]) === "/type/redirect")
      .flatMap((record) => keyOf(record["location"]) ?? [])
      .filter((key) => !records.has(key));
    if (missing.length === 0) return;
    const [targets = []] = await batchRows(catalog, [latestOfMany(missing)]);
    // The rows have the columns of the statement.
    for (const row of targets as RecordRow[]) records.set(row.key, latestRecord(row));
  }
}

function itemOf({ collections, access_restricted: restricted }: ItemRow): ItemMetadata {
  // The column is written as a JSON list of strings.
  return { collections: JSON.parse(collections) as string[], accessRestricted: restricted === 1 };
}

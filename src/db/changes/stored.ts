import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";

/** What is stored of a key, and of one revision of it that is about to be written. */
export interface StoredRecord {
  readonly id: number;
  readonly latest: number;
  /** Change that stored the latest revision. */
  readonly latestChange: number;
  readonly latestRecord: CatalogRecord;
  /** The revision asked for, if it is stored. */
  readonly revision?: { readonly document: string; readonly lastModified: string; readonly loaded: boolean };
}

/** State of keys with regard to revisions, by `storedName`; keys that are not stored are absent. */
export type StoredState = ReadonlyMap<string, StoredRecord>;

interface Row {
  key: string;
  asked: number;
  id: number;
  latest: number;
  latest_change: number;
  latest_document: string;
  document: string | null;
  last_modified: string | null;
  loaded: number;
}

const STORED = `
  SELECT r.key, e.value->>1 AS asked, r.id, r.revision AS latest, r.change_id AS latest_change,
         r.document AS latest_document,
         iif(r.revision = e.value->>1, r.document, v.document) AS document,
         iif(r.revision = e.value->>1, r.last_modified, v.last_modified) AS last_modified,
         c.changes IS NULL AS loaded
  FROM json_each(?1) e JOIN record r ON r.key = e.value->>0
  LEFT JOIN revision v ON v.record_id = r.id AND v.revision = e.value->>1
  LEFT JOIN change c ON c.id = iif(r.revision = e.value->>1, r.change_id, v.change_id)`;

/** Key of an entry of `StoredState`: the state of a key with regard to one revision. */
export function storedName(key: string, revision: number): string {
  return `${revision} ${key}`;
}

/** Reads the stored state of `[key, revision]` pairs in one statement. */
export async function readStored(
  database: Database,
  pairs: readonly (readonly [string, number])[],
): Promise<StoredState> {
  const found = await rows<Row>(database, { sql: STORED, values: [JSON.stringify(pairs)] });
  return new Map(found.map((row) => [storedName(row.key, row.asked), storedRecord(row)]));
}

function storedRecord(row: Row): StoredRecord {
  // What was stored went through validation when it was written.
  const latestRecord = JSON.parse(row.latest_document) as CatalogRecord;
  const base = { id: row.id, latest: row.latest, latestChange: row.latest_change, latestRecord };
  if (row.document === null || row.last_modified === null) return base;
  const { document, last_modified: lastModified } = row;
  return { ...base, revision: { document, lastModified, loaded: row.loaded === 1 } };
}

import { type Database, firstRow } from "../statement.ts";

/** A document of the store as it is kept (records.md 8.5). */
export interface StoreDocument {
  readonly key: string;
  readonly type: string | null;
  /** Raised by each write. */
  readonly rev: number;
  /** JSON object as text. */
  readonly document: string;
  /** Naive UTC. */
  readonly updated: string;
}

/** The document with a key, or undefined. One indexed read. */
export function readStoreDocument(patrons: Database, key: string): Promise<StoreDocument | undefined> {
  const sql = "SELECT key, type, rev, document, updated FROM store_document WHERE key = ?1";
  return firstRow<StoreDocument>(patrons, { sql, values: [key] });
}

import { type Database, firstRow, rows } from "../statement.ts";

/** Stored document of the key-value store. */
interface StoreDocument {
  readonly key: string;
  readonly type: string | null;
  /** Raised by each write. */
  readonly rev: number;
  /** JSON object as text. */
  readonly document: string;
  /** Naive UTC. */
  readonly updated: string;
}

/** Reads the document with a key, or undefined. One indexed read. */
export function readStoreDocument(patrons: Database, key: string): Promise<StoreDocument | undefined> {
  const sql = "SELECT key, type, rev, document, updated FROM store_document WHERE key = ?1";
  return firstRow<StoreDocument>(patrons, { sql, values: [key] });
}

/** Maximum bytes of documents per response. All of them are in memory at once. */
export const QUERIED_BYTES = 8 * 1024 * 1024;

/** Query for documents. */
interface StoreQuery {
  readonly type?: string | undefined;
  /** Dotted name of a leaf that they must have, with `value` as one of its values. */
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Found document. Its text is null if it does not fit into `QUERIED_BYTES`. */
export interface FoundDocument {
  readonly key: string;
  readonly rev: number;
  /** JSON object as text. */
  readonly document: string | null;
}

/** Reads the documents that match a query, last written first. One statement. */
export function queryDocuments(patrons: Database, query: StoreQuery): Promise<FoundDocument[]> {
  const { type, name, value, limit, offset } = query;
  const isOfValue = value === undefined ? "" : "AND i.value = ?";
  const where = [
    ...(type === undefined ? [] : ["type = ?"]),
    ...(name === undefined ? [] : [`key IN (SELECT i.key FROM store_index i WHERE i.name = ? ${isOfValue})`]),
  ].join(" AND ");
  const values = [type, name, name === undefined ? undefined : value].filter((one) => one !== undefined);
  return rows<FoundDocument>(patrons, {
    sql: `SELECT s.key, s.rev, CASE WHEN f.total <= ${QUERIED_BYTES} THEN s.document END AS document
          FROM (SELECT key, sum(bytes) OVER (ORDER BY rev DESC) AS total FROM (
                  SELECT key, rev, octet_length(document) AS bytes FROM store_document
                  ${where === "" ? "" : `WHERE ${where}`} ORDER BY rev DESC LIMIT ? OFFSET ?)) f
          CROSS JOIN store_document s ON s.key = f.key ORDER BY s.rev DESC`,
    values: [...values, limit, offset],
  });
}

import { MIB } from "../../catalog/units.ts";
import { firstRow, rows, batchRows, type Database, type Statement } from "../statement.ts";
import { parseDocument } from "../../catalog/document.ts";
import { storeLeavesOf, type StoreLeaf } from "../../catalog/store-leaves.ts";

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

export function readStoreDocument(patrons: Database, key: string): Promise<StoreDocument | undefined> {
  const sql = "SELECT key, type, rev, document, updated FROM store_document WHERE key = ?1";
  return firstRow<StoreDocument>(patrons, { sql, values: [key] });
}

/** Maximum bytes of documents per response. All of them are in memory at once. */
export const QUERIED_BYTES = 8 * MIB;

interface StoreQuery {
  readonly type?: string | undefined;
  /** Dotted name of a leaf that they must have, with `value` as one of its values. */
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

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
  const values = [type, name, name === undefined ? undefined : value].filter((text) => text !== undefined);
  return rows<FoundDocument>(patrons, {
    sql: `SELECT s.key, s.rev, CASE WHEN f.total <= ${QUERIED_BYTES} THEN s.document END AS document
          FROM (SELECT key, sum(bytes) OVER (ORDER BY rev DESC) AS total FROM (
                  SELECT key, rev, octet_length(document) AS bytes FROM store_document
                  ${where === "" ? "" : `WHERE ${where}`} ORDER BY rev DESC LIMIT ? OFFSET ?)) f
          CROSS JOIN store_document s ON s.key = f.key ORDER BY s.rev DESC`,
    values: [...values, limit, offset],
  });
}

/** Document to store, or to delete if it has no text. */
export interface StorePut {
  readonly key: string;
  /**
   * Required current `rev`, or 0 if it must not exist; null stores or deletes it unconditionally. A missing document is
   * stored in any case.
   */
  readonly instead: number | null;
  /** JSON object as text, without `_key` and `_rev`; null deletes. */
  readonly document: string | null;
  readonly type: string | null;
  /** Leaves that it can be found by: at most `PARAMETER_BYTES` of JSON. */
  readonly leaves: readonly StoreLeaf[];
  /** Naive UTC. */
  readonly updated: string;
}

/** Outcome of a put: the `rev` of each document, null for deleted ones; or the key of the first conflict. */
type PutResult = { readonly revs: (number | null)[] } | { readonly conflict: string };

/**
 * Stores and deletes documents in order in one transaction, all or none. Every write takes the next global `rev`, so
 * that a document never reuses one, and the highest was written last.
 */
export async function putDocuments(patrons: Database, puts: readonly StorePut[]): Promise<PutResult> {
  const plans = puts.map((put) => (put.document === null ? planDeletion(put) : planReplacement(put)));
  try {
    const results = await batchRows(
      patrons,
      plans.flatMap(({ statements }) => statements),
    );
    let next = 0;
    const revs = plans.map(({ statements, revAt }) => {
      // Row of the statement that stores the document.
      const [row] = (revAt === null ? [] : (results[next + revAt] ?? [])) as { rev: number }[];
      next += statements.length;
      return row?.rev ?? null;
    });
    return { revs };
  } catch (error) {
    const isConflict = error instanceof Error && error.message.includes("CHECK constraint failed");
    if (!isConflict) throw error;
    return { conflict: await conflictingKey(patrons, puts) };
  }
}

/** Statements for one document, and the index of the one that returns its `rev`. */
interface Plan {
  readonly statements: readonly Statement[];
  readonly revAt: number | null;
}

// Q174: one number ascends over all documents.
const NEXT_REV: Statement = { sql: "UPDATE store_rev SET value = value + 1", values: [] };

function planReplacement({ key, instead, document, type, leaves, updated }: StorePut): Plan {
  const guards = expectRev(key, instead);
  return {
    revAt: guards.length + 1,
    statements: [
      ...guards,
      NEXT_REV,
      {
        sql: `INSERT INTO store_document (key, type, rev, document, updated)
              SELECT ?1, ?2, value, ?3, ?4 FROM store_rev WHERE true
              ON CONFLICT (key) DO UPDATE SET
                type = excluded.type, rev = excluded.rev, document = excluded.document, updated = excluded.updated
              RETURNING rev`,
        values: [key, type, document, updated],
      },
      deleteLeaves(key),
      {
        sql: `INSERT INTO store_index (key, name, value)
              SELECT ?1, e.value->>0, e.value->>1 FROM json_each(?2) e`,
        values: [key, JSON.stringify(leaves)],
      },
    ],
  };
}

function planDeletion({ key, instead }: StorePut): Plan {
  const row = { sql: "DELETE FROM store_document WHERE key = ?1", values: [key] };
  return { revAt: null, statements: [...expectRev(key, instead), row, deleteLeaves(key)] };
}

function deleteLeaves(key: string): Statement {
  return { sql: "DELETE FROM store_index WHERE key = ?1", values: [key] };
}

function expectRev(key: string, instead: number | null): Statement[] {
  if (instead === null) return [];
  const sql = `INSERT INTO store_expectation (met) SELECT 0 FROM store_document WHERE key = ?1 AND rev <> ?2`;
  return [{ sql, values: [key, instead] }];
}

/**
 * Returns the key of the conflicting document, as far as it can still be determined. Several writes of one document
 * conflict with each other.
 */
async function conflictingKey(patrons: Database, puts: readonly StorePut[]): Promise<string> {
  const stored = await rows<{ key: string; rev: number }>(patrons, {
    sql: "SELECT d.key, d.rev FROM json_each(?1) e JOIN store_document d ON d.key = e.value",
    values: [JSON.stringify(puts.map(({ key }) => key))],
  });
  const revs = new Map(stored.map(({ key, rev }) => [key, rev]));
  const isOther = ({ key, instead }: StorePut): boolean =>
    instead !== null && revs.has(key) && revs.get(key) !== instead;
  const conflicting =
    puts.find(isOther) ?? puts.find(({ key }, index) => puts.findIndex((put) => put.key === key) < index);
  return (conflicting ?? puts[0])?.key ?? "";
}

/**
 * Writes a document and returns its new `rev`, or "conflict" if its current `rev` is not the expected one. One
 * transaction.
 */
export async function writeStoreDocument(
  patrons: Database,
  document: Omit<StorePut, "leaves"> & { document: string },
): Promise<number | "conflict"> {
  const leaves = storeLeavesOf(parseDocument(document.document));
  const result = await putDocuments(patrons, [{ ...document, leaves }]);
  return "conflict" in result ? "conflict" : (result.revs[0] ?? "conflict");
}

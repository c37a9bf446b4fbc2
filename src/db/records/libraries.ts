import { type Database, type Window, rows } from "../statement.ts";
import type { RecordColumns } from "./record-rows.ts";

type LibraryRow = Pick<RecordColumns, "key" | "flags" | "document">;

export function readLibraries(database: Database, { limit, offset }: Window): Promise<LibraryRow[]> {
  const sql = `SELECT key, flags, json_remove(document, '$.notes') AS document FROM record
               WHERE type = '/type/library' AND document->>'$.status' = 'approved'
               ORDER BY key LIMIT ?1 OFFSET ?2`;
  return rows<LibraryRow>(database, { sql, values: [limit, offset] });
}

/** Addresses of a library's branches: JSON of a text or text object, null if there are none. */
interface AddressRow {
  readonly name: string | null;
  readonly addresses: string | null;
}

/** Reads the addresses of approved libraries, by key. One statement. */
export function readAddresses(database: Database, limit: number): Promise<AddressRow[]> {
  const sql = `SELECT document->>'$.name' AS name, document->'$.addresses' AS addresses FROM record
               WHERE type = '/type/library' AND document->>'$.status' = 'approved' ORDER BY key LIMIT ?1`;
  return rows<AddressRow>(database, { sql, values: [limit] });
}

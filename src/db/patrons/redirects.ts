import { idRangeOf } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, REDIRECT_HOPS_MAX, keyOf } from "../../catalog/record.ts";
import type { LogRange } from "../indexing/log.ts";
import { readRecord } from "../records/records.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, firstRow, rows } from "../statement.ts";

interface RedirectedWork {
  readonly work: number;
  /** Naive UTC time of the change. */
  readonly modified: string;
}

type StoredWork = Pick<RecordColumns, "id" | "type" | "document">;

/** Reads works whose latest revision was made by a part of the log and is a redirect. One statement. */
export function readRedirects(catalog: Database, { from, to }: LogRange): Promise<RedirectedWork[]> {
  const { from: first, to: end } = idRangeOf("W");
  const sql = `SELECT id - ?3 AS work, last_modified AS modified FROM record
               WHERE change_id > ?1 AND change_id <= ?2 AND type = '/type/redirect' AND id >= ?3 AND id < ?4`;
  return rows<RedirectedWork>(catalog, { sql, values: [from, to, first, end] });
}

/**
 * Returns the number of the work that a work has become; undefined if it is not a redirect, or does not lead to a work.
 */
export async function readBecome(catalog: Database, work: number): Promise<number | undefined> {
  const { from: first, to: end } = idRangeOf("W");
  const sql = "SELECT id, type, document FROM record WHERE id = ?1";
  const start = await firstRow<StoredWork>(catalog, { sql, values: [first + work] });
  let row: StoredWork | undefined = start;
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && row?.type === "/type/redirect"; hop += 1) {
    // Stored documents were validated when they were written.
    const target = keyOf((JSON.parse(row.document) as CatalogRecord)["location"]);
    row = target === undefined ? undefined : await readRecord(catalog, target);
  }
  if (row === undefined || row === start || row.type !== "/type/work") return undefined;
  return row.id >= first && row.id < end ? row.id - first : undefined;
}

import type { RecordQuery } from "../../catalog/query/record-query.ts";
import { type Database, batchRows, rows } from "../statement.ts";
import { SCAN_RECORDS, planQuery } from "./plan.ts";

/** A record that met a query. */
export interface QueryRow {
  readonly key: string;
  readonly flags: number;
  readonly document: string;
}

/** Rows of a query, or "cut-off" when it would have to look at more records than are allowed. */
export async function runQuery(
  database: Database,
  query: RecordQuery,
  scanRecords: number = SCAN_RECORDS,
): Promise<QueryRow[] | "cut-off"> {
  if (query.limit === 0) return [];
  const { statement, cutOff } = planQuery(query, scanRecords);
  if (cutOff === undefined) return rows<QueryRow>(database, statement);
  const [found = [], more = []] = await batchRows(database, [statement, cutOff]);
  const isComplete = more.length === 0 || (query.sort === undefined && found.length === query.limit);
  // The rows have the columns of the statement.
  return isComplete ? (found as QueryRow[]) : "cut-off";
}

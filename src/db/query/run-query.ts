import type { RecordQuery } from "../../catalog/query/record-query.ts";
import { requireWhole, type RecordColumns } from "../records/record-rows.ts";
import { batchRows, rows, type Database } from "../statement.ts";
import { SCAN_RECORDS, planQuery, type QueryScope } from "./plan-query.ts";

type QueryRow = Pick<RecordColumns, "key" | "flags" | "document">;

/** Runs a query. Returns "cut-off" if it would have to scan too many records. Throws `DocumentsTooLarge`. */
export async function runQuery(
  database: Database,
  query: RecordQuery,
  scanRecords: number = SCAN_RECORDS,
): Promise<QueryRow[] | "cut-off"> {
  const records = await runPlan(database, query, { shown: "document", scanRecords });
  return records === "cut-off" ? records : requireWhole<QueryRow>(records);
}

/** Runs a query for keys only, regardless of the sizes of the documents. Returns "cut-off" like `runQuery`. */
export async function runKeyQuery(
  database: Database,
  query: RecordQuery,
  scanRecords: number = SCAN_RECORDS,
): Promise<string[] | "cut-off"> {
  const keys = await runPlan(database, query, { shown: "key", scanRecords });
  // The rows have the column of the statement.
  return keys === "cut-off" ? keys : (keys as { key: string }[]).map(({ key }) => key);
}

async function runPlan(
  database: Database,
  query: RecordQuery,
  scope: QueryScope,
): Promise<readonly unknown[] | "cut-off"> {
  if (query.limit === 0) return [];
  const { statement, cutOff } = planQuery(query, scope);
  if (cutOff === undefined) return rows<unknown>(database, statement);
  const [records = [], more = []] = await batchRows(database, [statement, cutOff]);
  const isComplete = more.length === 0 || (query.sort === undefined && records.length === query.limit);
  return isComplete ? records : "cut-off";
}

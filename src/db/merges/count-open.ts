import { type Database, firstRow } from "../statement.ts";

/** How many merges are under way, and how many requests wait for a librarian. One statement. */
export async function countOpenMerges(
  database: Database,
): Promise<{ readonly jobs: number; readonly requests: number }> {
  const counts = await firstRow<{ jobs: number; requests: number }>(database, {
    sql: `SELECT (SELECT count(*) FROM merge_job WHERE state = 'open') AS jobs,
                 (SELECT count(*) FROM merge_request WHERE status = 1) AS requests`,
    values: [],
  });
  return counts ?? { jobs: 0, requests: 0 };
}

import { type Database, batchGroups } from "../statement.ts";

/** Types of records whose numbers are told. */
const COUNTED = ["/type/work", "/type/edition", "/type/author", "/type/list", "/type/series"];

/** How many records there are, and how often the catalog was changed. */
export interface RecordTotals {
  readonly works: number;
  readonly editions: number;
  readonly authors: number;
  readonly lists: number;
  readonly series: number;
  /** Changes of all time. */
  readonly changes: number;
  /** Changes from a time on. */
  readonly newChanges: number;
}

/**
 * Counts records by type, and changes from `since` on (naive UTC). One round trip; it walks the index of types, so that
 * callers keep the answer.
 */
export async function readTotals(catalog: Database, since: string): Promise<RecordTotals> {
  interface Groups {
    types: { type: string; count: number };
    changes: { total: number; recent: number };
  }
  const { types, changes } = await batchGroups<Groups>(catalog, {
    types: [
      {
        sql: `SELECT type, count(*) AS count FROM record INDEXED BY record_by_type
              WHERE type IN (SELECT value FROM json_each(?1)) GROUP BY type`,
        values: [JSON.stringify(COUNTED)],
      },
    ],
    changes: [
      {
        sql: `SELECT (SELECT count(*) FROM change) AS total,
                     (SELECT count(*) FROM change WHERE created >= ?1) AS recent`,
        values: [since],
      },
    ],
  });
  const counts = new Map(types.map(({ type, count }) => [type, count]));
  return {
    works: counts.get("/type/work") ?? 0,
    editions: counts.get("/type/edition") ?? 0,
    authors: counts.get("/type/author") ?? 0,
    lists: counts.get("/type/list") ?? 0,
    series: counts.get("/type/series") ?? 0,
    changes: changes[0]?.total ?? 0,
    newChanges: changes[0]?.recent ?? 0,
  };
}

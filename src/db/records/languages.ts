import { RecordFlag } from "../../catalog/document.ts";
import { type Database, rows } from "../statement.ts";
import type { RecordColumns } from "./rows.ts";

/** How much there is in a language. */
export interface LanguageCount {
  readonly code: string;
  /** Works that have an edition in the language. */
  readonly works: number;
  /** Editions in the language that can be read or borrowed. */
  readonly ebooks: number;
  /** The language record's document; null when there is none. */
  readonly document: string | null;
}

const COUNT = `
  SELECT c.*, r.document FROM (
  SELECT l.language AS code, count(DISTINCT w.id) AS works,
         count(DISTINCT CASE
           WHEN l.open = 1 THEN l.edition_id
           WHEN l.ocaid IS NULL THEN NULL
           WHEN i.ocaid IS NOT NULL THEN CASE
             WHEN i.collections LIKE '%"inlibrary"%' THEN l.edition_id
             WHEN i.collections LIKE '%"printdisabled"%' OR i.access_restricted = 1 OR i.collections = '[]' THEN NULL
             ELSE l.edition_id END
           WHEN ?1 = 1 AND w.flags & ?2 <> 0 THEN l.edition_id
           WHEN ?1 = 1 AND w.flags & ?3 = 0 AND w.flags & ?4 <> 0 THEN l.edition_id
         END) AS ebooks
  FROM edition_language l
  LEFT JOIN record w ON w.id = l.work_id AND w.type = '/type/work'
  LEFT JOIN item i ON i.ocaid = l.ocaid
  GROUP BY l.language) c
  LEFT JOIN record r ON r.key = '/languages/' || c.code`;

/**
 * Counts works and readable editions by language. Looks at every edition, so its answer is
 * kept in KV. `derive`: holdings of scans without an item follow from the work's subjects.
 */
export function countLanguages(
  database: Database,
  { derive }: { derive: boolean },
): Promise<LanguageCount[]> {
  const { lendingSubject, daisySubject, accessibleSubject } = RecordFlag;
  return rows<LanguageCount>(database, {
    sql: COUNT,
    values: [Number(derive), lendingSubject, daisySubject, accessibleSubject],
  });
}

/** All language records: their documents, by key. There are some 500. */
export function readLanguages(database: Database): Promise<Pick<RecordColumns, "key" | "document">[]> {
  const sql = "SELECT key, document FROM record WHERE type = '/type/language' ORDER BY key LIMIT 2000";
  return rows(database, { sql, values: [] });
}

import { RecordFlag } from "../../catalog/document.ts";
import { type Database, firstRow, rows } from "../statement.ts";
import type { RecordColumns } from "./record-rows.ts";

export interface LanguageCount {
  readonly code: string;
  readonly works: number;
  /** Number of editions in the language that can be read or borrowed. */
  readonly ebooks: number;
  /** Document of the language record; null if there is none. */
  readonly document: string | null;
}

/** Key of a row of `edition_language`. */
export type LanguagePlace = readonly [language: string, work: number, edition: number];
export const FIRST_LANGUAGE: LanguagePlace = ["", 0, 0];
/** Number of rows read per statement, with the work and the item of each. */
const COUNTED_ROWS = 100_000;

const AFTER = `FROM edition_language WHERE (language, work_id, edition_id) > (?1, ?2, ?3)
    ORDER BY language, work_id, edition_id LIMIT`;
// A work counts at its first edition in the language, so that the partial counts add up.
const COUNT = `
  SELECT c.*, r.document FROM (
  SELECT l.language AS code, count(*) AS looked,
         count(CASE WHEN w.id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM edition_language e
           WHERE e.language = l.language AND e.work_id = l.work_id AND e.edition_id < l.edition_id) THEN 1 END) AS works,
         count(CASE
           WHEN l.open = 1 THEN 1
           WHEN l.ocaid IS NULL THEN NULL
           WHEN i.ocaid IS NOT NULL THEN CASE
             WHEN i.collections LIKE '%"inlibrary"%' THEN 1
             WHEN i.collections LIKE '%"printdisabled"%' OR i.access_restricted = 1 OR i.collections = '[]' THEN NULL
             ELSE 1 END
           WHEN ?5 = 1 AND w.flags & ?6 <> 0 THEN 1
           WHEN ?5 = 1 AND w.flags & ?7 = 0 AND w.flags & ?8 <> 0 THEN 1
         END) AS ebooks
  FROM (SELECT * ${AFTER} ?4) l
  LEFT JOIN record w ON w.id = l.work_id AND w.type = '/type/work'
  LEFT JOIN item i ON i.ocaid = l.ocaid
  GROUP BY l.language) c
  LEFT JOIN record r ON r.key = '/languages/' || c.code`;
const LAST = `SELECT language, work_id AS work, edition_id AS edition ${AFTER} 1 OFFSET ?4`;

/**
 * Counts works and readable editions by language over the next rows after a key. `derive`: holdings of scans without an
 * item are derived from the work's subjects. `next` is the key to continue from, null at the end; it takes a second
 * round trip.
 */
export async function countLanguages(
  database: Database,
  after: LanguagePlace,
  { derive, limit = COUNTED_ROWS }: { derive: boolean; limit?: number },
): Promise<{ readonly counts: LanguageCount[]; readonly next: LanguagePlace | null }> {
  const { lendingSubject, daisySubject, accessibleSubject } = RecordFlag;
  const languages = await rows<LanguageCount & { readonly looked: number }>(database, {
    sql: COUNT,
    values: [...after, limit, Number(derive), lendingSubject, daisySubject, accessibleSubject],
  });
  const counts = languages.map(({ looked: _looked, ...one }) => one);
  if (languages.reduce((sum, { looked }) => sum + looked, 0) < limit) return { counts, next: null };
  const last = await firstRow<{ language: string; work: number; edition: number }>(database, {
    sql: LAST,
    values: [...after, limit - 1],
  });
  return { counts, next: last === undefined ? null : [last.language, last.work, last.edition] };
}

/** Reads the documents of all language records, by key. There are about 500. */
export function readLanguages(database: Database): Promise<Pick<RecordColumns, "key" | "document">[]> {
  const sql = "SELECT key, document FROM record WHERE type = '/type/language' ORDER BY key LIMIT 2000";
  return rows(database, { sql, values: [] });
}

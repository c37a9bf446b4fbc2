import type { RecordRow } from "../records/read-record.ts";
import { type Database, rows } from "../statement.ts";

/** Revisions of an edition, the latest first, that are looked through for works that it has left. */
export const SHOWING_REVISIONS_MAX = 50;

/**
 * Records that may show a cover which an edition got lately: the edition itself first, and all works that it is a part of
 * now or was of in one of its last revisions. One indexed statement.
 */
export function readShowing(database: Database, edition: string): Promise<RecordRow[]> {
  return rows<RecordRow>(database, {
    sql: `
      WITH edition AS (SELECT id, document FROM record WHERE key = ?1),
      stated (document) AS (
        SELECT document FROM edition UNION ALL
        SELECT * FROM (SELECT r.document FROM edition e JOIN revision r ON r.record_id = e.id
          ORDER BY r.revision DESC LIMIT ?2)),
      showing (key) AS (
        SELECT ?1 UNION
        SELECT w.value->>'key' FROM stated s, json_each(s.document, '$.works') w WHERE w.type = 'object')
      SELECT r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags, r.last_modified AS lastModified, r.document
      FROM showing s CROSS JOIN record r ON r.key = s.key ORDER BY r.key <> ?1, r.id`,
    values: [edition, SHOWING_REVISIONS_MAX],
  });
}
